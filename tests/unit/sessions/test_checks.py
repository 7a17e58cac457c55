"""Commands that judge code are known behind whatever runs them, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from engram_hooks.sessions.checks import covers, find_checks
from engram_hooks.sessions.shellwords import split_commands

RUNS = {
    "pytest -q tests/unit": ("test", "pytest", ("tests/unit",), False),
    "cd backend && python -m pytest -x 2>&1 | tail -20": ("test", "pytest", (), True),
    "FOO=1 timeout 60 poetry run pytest tests/a.py::t -k 'x and y'": (
        "test",
        "pytest",
        ("-k x and y", "tests/a.py::t"),
        False,
    ),
    "make": ("build", "make", (), False),
    "make -j4 test": ("test", "make test", (), False),
    "npm test": ("test", "npm test", (), False),
    "npm run lint:fix -- --quiet": ("lint", "npm lint:fix", (), False),
    "pnpm --filter web test": ("test", "pnpm test", (), False),
    "pnpm -r test": ("test", "pnpm test", (), False),
    "yarn jest src/a.test.ts": ("test", "jest", (), False),
    "npx -y tsc --noEmit": ("types", "tsc", (), False),
    'docker compose -f dc.yml run --rm -e A=1 web bash -lc "cd /app && rspec spec/models"': (
        "test",
        "rspec",
        ("spec/models",),
        False,
    ),
    'docker run --rm -v "$PWD:/w" -w /w golang:1.22 go test ./...': ("test", "go test", (), False),
    "kubectl exec pod -- pytest": ("test", "pytest", (), False),
    "go test -run TestX ./pkg/... 2>&1 | head -50": ("test", "go test", ("-run TestX", "pkg/..."), True),
    "cargo +nightly test --lib": ("test", "cargo test", (), False),
    "cargo clippy -- -D warnings": ("lint", "cargo clippy", (), False),
    "./gradlew clean build": ("build", "gradlew build", (), False),
    "mvn -q -DskipTests=false test": ("test", "mvn test", (), False),
    "bundle exec rspec ./spec/a_spec.rb:12": ("test", "rspec", ("spec/a_spec.rb:12",), False),
    "python manage.py test app": ("test", "manage.py", ("app",), False),
    "python -m unittest discover -s tests": ("test", "unittest", ("discover",), False),
    "hatch run test": ("test", "hatch test", (), False),
    "coverage run -m pytest && coverage report": ("test", "pytest", (), False),
    "./scripts/run_tests.sh": ("test", "scripts/run_tests.sh", (), False),
    "bash ci/lint.sh": ("lint", "ci/lint.sh", (), False),
    "engram exec --note 'x y' -- pytest": ("test", "pytest", (), False),
    "if pytest; then echo ok; fi": ("test", "pytest", (), True),
    "pytest || true": ("test", "pytest", (), True),
    "node --test": ("test", "node --test", (), False),
    "black --check src": ("lint", "black --check", ("src",), False),
    "python3 - <<'PY'\nimport pytest\nPY\nruff check .": ("lint", "ruff check", (), False),
}
NO_CHECKS = (
    "grep -rn pytest src",
    "cat log | tail -3",
    'echo "run pytest"',
    'git commit -m "make test pass"',
    "pip install pytest",
    "npm install",
    "npm ci",
    "npm run dev",
    "make clean",
    "make install",
    "which mypy",
    "mypy --version",
    "cat tests/test_a.py",
    "ls tests",
    "git diff --exit-code",
    "python manage.py migrate",
    "docker compose up -d",
    "cargo fmt",
    "ruff format .",
    "black src",
    "test -f x",
    "[ -f x ]",
    "cd test && ls",
    "vi tests/test_x.py",
    "cp tests/a tests/b",
    "go run main.go",
    "rails server",
    "# pytest",
    "",
    "'",
)


@pytest.mark.parametrize("line", RUNS)
def test_check_is_found(line: str) -> None:
    assert find_checks(line) == [RUNS[line]]


@pytest.mark.parametrize("line", NO_CHECKS)
def test_other_commands_are_no_checks(line: str) -> None:
    assert find_checks(line) == []


def test_several_checks_of_a_line_come_in_order() -> None:
    assert [tool for _, tool, _, _ in find_checks("ruff check . && mypy src && pytest -q")] == [
        "ruff check",
        "mypy",
        "pytest",
    ]


@pytest.mark.parametrize(
    ("passed", "failed", "expected"),
    [
        ("pytest", "pytest tests/a.py", True),
        ("pytest tests", "pytest tests/a.py::t", True),
        ("pytest tests/a.py", "pytest tests/a.py::t", True),
        ("pytest tests/b.py", "pytest tests/a.py", False),
        ("pytest tests/a.py", "pytest", False),
        ("mypy", "pytest", False),
        ("pytest tests/ab", "pytest tests/a", False),
    ],
)
def test_green_check_speaks_for_what_it_covers(passed: str, failed: str, *, expected: bool) -> None:
    assert covers(find_checks(passed)[0], find_checks(failed)[0]) is expected


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a 'b c' \"d e\"", [["a", "b c", "d e"]]),
        ("x >out 2>/dev/null; y &> f & z", [["x"], ["y"], ["z"]]),
        ("a $(b (c) d) e", [["a", "$(b (c) d)", "e"]]),
        ("echo 'unclosed", [["echo", "unclosed"]]),
        ("a \\\n b", [["a", "b"]]),
        ("cat <<-EOF > f\n make test\n EOF\nls", [["cat"], ["ls"]]),
    ],
)
def test_line_is_split_into_commands(line: str, words: list[list[str]]) -> None:
    assert [found for found, _ in split_commands(line)] == words
