"""What a call of a tool tried: the edits it made, and what the checks that it ran say of them."""

from __future__ import annotations

from engram_hooks.guard.redact import redact
from engram_hooks.sessions.edits import edits_of, moves_head, restores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.checks import Check
    from engram_hooks.sessions.signatures import Signature

    # (path, lines that went, lines that came)
    Change = tuple[str, list[str], list[str]]
    # (kind, tool, targets, outcome, faults, fingerprint)
    Verdict = tuple[str, str, list[str], str, list[list[str]], str]

MAX_CHANGE_CHARS = 40_000
# the tool whose output a format is, by the words that its name holds
_SPEAKERS = {
    "pytest": ("pytest", "py.test", "tox", "nox"),
    "unittest": ("unittest", "manage.py"),
    "go test": ("go test", "gotestsum"),
    "cargo test": ("cargo test", "cargo t", "nextest"),
    "rustc": ("cargo", "rustc"),
    "tsc": ("tsc",),
    "eslint": ("eslint",),
    "ruff": ("ruff",),
    "jest": ("jest", "vitest"),
    "rspec": ("rspec",),
    "mocha": ("mocha", "cypress"),
    "node": ("node --test",),
    "playwright": ("playwright",),
    "minitest": ("rails", "rake", "minitest"),
    "phpunit": ("phpunit", "artisan"),
    "phpstan": ("phpstan",),
    "dotnet": ("dotnet test",),
    "maven": ("mvn",),
    "gradle": ("gradle",),
    "pyright": ("pyright",),
    "biome": ("biome",),
    "bundler": ("vite", "webpack", "esbuild", "next build", "rollup"),
    "go": ("go ",),
    "format": ("black", "prettier", "isort"),
    "compiler": ("mypy", "ruff", "flake8", "pylint", "golangci-lint", "gcc", "clang", "go build", "go vet"),
}


def changes_of(payload: dict[str, object]) -> list[Change]:
    """The edits of a call that succeeded, their paths as the client names them.

    Commands that go to other commits change nothing here. A shell line that put the work tree back, without the
    client saying what changed, is one edit with the path ''.
    """
    given = payload.get("tool_input")
    command = given.get("command") if isinstance(given, dict) and payload.get("tool_name") == "Bash" else None
    if isinstance(command, str) and moves_head(command):
        return []
    changes = edits_of(payload)
    if changes:
        return _bounded(changes)
    return [("", [], [command[:200]])] if isinstance(command, str) and restores(command) else []


def redact_change(change: Change) -> Change:
    """The change without secrets."""
    path, removed, added = change
    return redact(path), _redact_lines(removed), _redact_lines(added)


def _redact_lines(lines: Sequence[str]) -> list[str]:
    return redact("\n".join(lines)).split("\n") if lines else []


def relative_path(path: str, root: str) -> str:
    """A path from the top of the checkout where it lies in it, else as it is; with slashes."""
    path = path.replace("\\", "/")
    top = root.replace("\\", "/").rstrip("/")
    return path[len(top) + 1 :] if top and path.startswith(f"{top}/") else path


def _bounded(changes: Sequence[Change]) -> list[Change]:
    """The changes within what is kept of one call."""
    left = MAX_CHANGE_CHARS
    out: list[Change] = []
    for path, removed, added in changes:
        left -= sum(map(len, removed)) + sum(map(len, added))
        if left < 0:
            break
        out.append((path, removed, added))
    return out


def verdicts_of(payload: dict[str, object], root: str, *, is_failure: bool) -> list[Verdict]:
    """How the checks of a shell line ended; [] where it ran none, or none came to judge.

    Of several checks in a line that failed, the one that speaks is the one that failed.
    """
    given = payload.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    if payload.get("tool_name") != "Bash" or not isinstance(command, str) or not command:
        return []
    from engram_hooks.sessions.checks import find_checks

    checks = find_checks(command)
    if not checks:
        return []
    from engram_hooks.sessions.outcomes import FAILED, PASSED, judge

    text = output_of(payload)
    is_interrupt = payload.get("is_interrupt") is True or _was_stopped(payload)
    hidden = (*checks[-1][:3], any(check[3] for check in checks))
    outcome = judge(hidden, text, is_failure=is_failure, is_interrupt=is_interrupt)
    if outcome == PASSED:
        return [(kind, tool, list(targets), PASSED, [], "") for kind, tool, targets, _ in checks]
    if outcome != FAILED:
        return []
    from engram_hooks.sessions.signatures import read_signature

    signature = read_signature(text, root)
    kind, tool, targets, _ = _speaker(checks, signature)
    return [(kind, tool, list(targets), FAILED, _redact_faults(signature), signature[2])]


def _redact_faults(signature: Signature) -> list[list[str]]:
    return [[redact(part) for part in fault] for fault in signature[1]]


def _was_stopped(payload: dict[str, object]) -> bool:
    response = payload.get("tool_response")
    return isinstance(response, dict) and (
        response.get("interrupted") is True or bool(response.get("backgroundTaskId"))
    )


def _speaker(checks: Sequence[Check], signature: Signature) -> Check:
    words = _SPEAKERS.get(signature[0], ())
    spoken = [check for check in checks if any(word in check[1] for word in words)]
    return spoken[0] if spoken else checks[-1]


def output_of(payload: dict[str, object]) -> str:
    """What a command printed: the client's text of a failure, else its streams."""
    error = payload.get("error")
    if isinstance(error, str) and error:
        return error
    response = payload.get("tool_response")
    if isinstance(response, str):
        return response
    if not isinstance(response, dict):
        return ""
    parts = [response.get(key) for key in ("stdout", "stderr", "output", "content")]
    return "\n".join(part for part in parts if isinstance(part, str) and part)
