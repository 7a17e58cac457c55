"""The programs that checks are made of, and what runs them."""

from __future__ import annotations

KINDS = ("test", "types", "lint", "build")

# programs that do nothing but check
PROGRAMS = {
    **dict.fromkeys(
        "pytest py.test unittest nose2 nosetests tox nox jest vitest mocha ava tap tape karma cypress jasmine qunit"
        " lab rspec minitest cucumber phpunit pest codecept behat ctest gotestsum ginkgo bats busted prove behave"
        " trial stestr robot green ward testem wtr web-test-runner tasty hspec ert-runner".split(),
        "test",
    ),
    **dict.fromkeys(
        "tsc vue-tsc mypy dmypy pyright basedpyright pyre pytype ty flow sorbet srb psalm phpstan dialyzer"
        " glint".split(),
        "types",
    ),
    **dict.fromkeys(
        "eslint flake8 pylint pycodestyle pydocstyle bandit vulture rubocop standardrb reek shellcheck hadolint"
        " golangci-lint staticcheck revive golint stylelint tslint jshint oxlint standard xo ktlint detekt swiftlint"
        " phpcs phpmd yamllint markdownlint actionlint clang-tidy cppcheck cpplint sqlfluff ansible-lint tflint"
        " lint-imports credo luacheck htmlhint spectral vale codespell ec".split(),
        "lint",
    ),
    **dict.fromkeys(
        "gcc g++ cc c++ clang clang++ rustc javac kotlinc scalac ghc ninja msbuild scons ant webpack"
        " rollup esbuild tsup parcel ocamlc gfortran nvcc protoc".split(),
        "build",
    ),
}

# programs that do many things: which of their words check; '' is for none of them
SUBCOMMANDS: dict[str, dict[str, str]] = {
    "go": {"test": "test", "build": "build", "vet": "lint", "install": "build"},
    "cargo": {
        "test": "test",
        "t": "test",
        "nextest": "test",
        "miri": "test",
        "build": "build",
        "b": "build",
        "check": "types",
        "c": "types",
        "clippy": "lint",
    },
    "ruff": {
        "check": "lint",
        "": "lint",
        **dict.fromkeys("format rule clean config linter version server analyze".split(), ""),
    },
    "biome": {"check": "lint", "lint": "lint", "ci": "lint"},
    "deno": {"test": "test", "check": "types", "lint": "lint"},
    "playwright": {"test": "test"},
    "black": {"--check": "lint"},
    "isort": {"--check": "lint", "--check-only": "lint", "-c": "lint"},
    "prettier": {"--check": "lint", "-c": "lint"},
    "terraform": {"validate": "lint", "test": "test"},
    "helm": {"lint": "lint"},
    "buf": {"lint": "lint", "build": "build"},
    "pre-commit": {"run": "lint"},
    "dart": {"test": "test", "analyze": "lint", "compile": "build"},
    "flutter": {"test": "test", "analyze": "lint", "build": "build"},
    "dotnet": {"test": "test", "build": "build"},
    "swift": {"test": "test", "build": "build"},
    "mix": {"test": "test", "compile": "build", "credo": "lint", "dialyzer": "types"},
    "zig": {"test": "test", "build": "build"},
    "stack": {"test": "test", "build": "build"},
    "cabal": {"test": "test", "build": "build"},
    "lein": {"test": "test"},
    "sbt": {"test": "test", "testOnly": "test", "compile": "build"},
    "dune": {"test": "test", "runtest": "test", "build": "build"},
    "bazel": {"test": "test", "build": "build"},
    "meson": {"test": "test", "compile": "build"},
    "cmake": {"--build": "build"},
    "rails": {"test": "test", "spec": "test", "test:system": "test", "test:all": "test"},
    "hatch": {"test": "test"},
    "django-admin": {"test": "test"},
    "xcodebuild": {"test": "test", "build": "build", "build-for-testing": "build"},
    "next": {"build": "build", "lint": "lint"},
    "vite": {"build": "build"},
    "ng": {"test": "test", "build": "build", "lint": "lint"},
    "react-scripts": {"test": "test", "build": "build"},
    "svelte-check": {"": "types"},
    "astro": {"check": "types", "build": "build"},
    "forge": {"test": "test", "build": "build"},
    "hardhat": {"test": "test", "compile": "build"},
    "mvn": {"test": "test", "verify": "test", "package": "test", "install": "test", "compile": "build"},
    "mvnw": {"test": "test", "verify": "test", "package": "test", "install": "test", "compile": "build"},
}

# those of them that take several words, of which any may be the one that checks
MANY_GOALS = frozenset(("mvn", "mvnw", "sbt", "lein", "xcodebuild"))

# task runners: the words before a task's name, and what a call without a task is
TASK_RUNNERS: dict[str, tuple[frozenset[str], str]] = {
    "make": (frozenset(), "build"),
    "gmake": (frozenset(), "build"),
    "just": (frozenset(), ""),
    "task": (frozenset(), ""),
    "mise": (frozenset({"run", "r"}), ""),
    "invoke": (frozenset(), ""),
    "rake": (frozenset(), "test"),
    "gradle": (frozenset(), ""),
    "gradlew": (frozenset(), ""),
    "npm": (frozenset({"run", "run-script"}), ""),
    "pnpm": (frozenset({"run"}), ""),
    "yarn": (frozenset({"run"}), ""),
    "bun": (frozenset({"run"}), ""),
    "composer": (frozenset({"run", "run-script"}), ""),
    "moon": (frozenset({"run"}), ""),
}

# words in the names of tasks and scripts
SCRIPT_WORDS = {
    "test": frozenset(
        "test tests spec specs unit e2e integration check checks ci verify selftest testall pytest jest vitest"
        " rspec connectedcheck".split()
    ),
    "types": frozenset("types typecheck typing tsc mypy pyright".split()),
    "lint": frozenset("lint linter eslint ruff flake8 clippy vet rubocop detekt ktlintcheck".split()),
    "build": frozenset("build compile assemble dist all release debug".split()),
}

SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "fish"))
INTERPRETERS = frozenset(
    (
        *(
            "python",
            "python2",
            "python3",
            "py",
            "pypy",
            "pypy3",
            "node",
            "ruby",
            "perl",
            "php",
            "tsx",
            "ts-node",
        ),
        *(f"python3.{minor}" for minor in range(8, 20)),
    )
)

# what only wraps a command: (words of its own behind the options, options that have a value)
WRAPPERS: dict[str, tuple[int, frozenset[str]]] = {
    "time": (0, frozenset()),
    "env": (0, frozenset(("-u", "-C", "--chdir"))),
    "sudo": (0, frozenset(("-u", "-g"))),
    "doas": (0, frozenset(("-u",))),
    "nice": (0, frozenset(("-n",))),
    "ionice": (0, frozenset(("-c", "-n"))),
    "nohup": (0, frozenset()),
    "command": (0, frozenset()),
    "exec": (0, frozenset()),
    "stdbuf": (0, frozenset(("-o", "-e", "-i"))),
    "unbuffer": (0, frozenset()),
    "xvfb-run": (0, frozenset(("-s", "-n"))),
    "timeout": (1, frozenset(("-k", "-s", "--signal", "--kill-after"))),
    "gtimeout": (1, frozenset(("-k", "-s"))),
    "retry": (1, frozenset()),
    "caffeinate": (0, frozenset()),
    "xargs": (0, frozenset("-n -P -I -L -s -E -d -a".split())),
    "watch": (0, frozenset(("-n", "--interval"))),
    "c8": (0, frozenset()),
    "nyc": (0, frozenset()),
    "cross-env": (0, frozenset()),
    "dotenv": (0, frozenset(("-f", "-e"))),
}

_VALUED = frozenset(
    "--with --python --group --extra --env -e -p --package -n --name --prefix -c --call -w --workspace -C --dir"
    " --project --directory --cwd --filter -F".split()
)
# runners of other programs: the words before the program, and options that have a value
RUNNERS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "poetry": (frozenset(("run",)), _VALUED),
    "uv": (frozenset(("run",)), _VALUED),
    "pipenv": (frozenset(("run",)), _VALUED),
    "pdm": (frozenset(("run",)), _VALUED),
    "rye": (frozenset(("run",)), _VALUED),
    "hatch": (frozenset(("run",)), _VALUED),
    "pixi": (frozenset(("run",)), _VALUED),
    "conda": (frozenset(("run",)), _VALUED),
    "mamba": (frozenset(("run",)), _VALUED),
    "coverage": (frozenset(("run",)), frozenset(("--source", "--rcfile"))),
    "npx": (frozenset(), _VALUED),
    "bunx": (frozenset(), _VALUED),
    "uvx": (frozenset(), _VALUED),
    "pipx": (frozenset(("run",)), _VALUED),
    "npm": (frozenset(("exec", "x")), _VALUED),
    "pnpm": (frozenset(("exec", "dlx")), _VALUED),
    "yarn": (frozenset(("exec", "dlx")), _VALUED),
    "bundle": (frozenset(("exec",)), _VALUED),
    "direnv": (frozenset(("exec",)), _VALUED),
    "mise": (frozenset(("exec", "x")), _VALUED),
    "asdf": (frozenset(("exec",)), _VALUED),
    "nix": (frozenset(("develop",)), frozenset(("-c", "--command"))),
    "engram": (frozenset(("exec",)), frozenset(("--note",))),
}

# those of them that also run scripts of the project, by the names that it gives them
PROJECT_RUNNERS = frozenset(("poetry", "pdm", "rye", "hatch", "pixi", "pipenv"))

# what runs commands elsewhere: the words before the service, container or pod
CONTAINERS: dict[str, frozenset[str]] = {
    "docker": frozenset(("run", "exec")),
    "podman": frozenset(("run", "exec")),
    "docker-compose": frozenset(("run", "exec")),
    "podman-compose": frozenset(("run", "exec")),
    "kubectl": frozenset(("exec",)),
    "vagrant": frozenset(("ssh",)),
}

# options whose next word is their value
VALUED_OPTIONS = frozenset(
    "-v --volume -e --env -u --user -w --workdir -f --file -p --publish --project-name --name --network --entrypoint"
    " --env-file --mount --platform -k -m -run --run -t --testNamePattern --filter --grep -g --tests -c --config"
    " --rootdir -n --numprocesses --maxfail --timeout -j --jobs --manifest-path --package --features --target"
    " --test-threads -l --log-level -o --output --reporter --project -C --directory --cov --cov-report --require"
    " --profile --test-dir --ignore --deselect -W -s --sdk --scheme --destination --configuration -i --tag --tags"
    " --seed --prefix --workspace --cwd --dir -F -pl --max-warnings --ext".split()
)
