"""Which commands judge code: tests, builds, type checks and linters, behind whatever runs them."""

from __future__ import annotations

from engram_hooks.sessions.check_tables import (
    CONTAINERS,
    INTERPRETERS,
    MANY_GOALS,
    PROGRAMS,
    PROJECT_RUNNERS,
    RUNNERS,
    SHELLS,
    SUBCOMMANDS,
    TASK_RUNNERS,
    VALUED_OPTIONS,
    WRAPPERS,
)
from engram_hooks.sessions.check_tasks import (
    MONOREPOS,
    kind_of_name,
    only_asks,
    read_format,
    read_monorepo,
    read_targets,
    read_tasks,
)
from engram_hooks.sessions.shellwords import split_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    # (kind of KINDS, the tool, what it is pointed at, whether a pipe hides its exit code)
    Check = tuple[str, str, tuple[str, ...], bool]

MAX_DEPTH = 4
_PREFIXES = ("then", "do", "else", "{", "!", "if", "while")
_SCRIPT_ENDINGS = (".sh", ".bash", ".zsh", ".py", ".rb", ".js", ".mjs", ".ts", ".ps1", ".bat", ".cmd", ".pl")


def find_checks(line: str, *, depth: int = 0) -> list[Check]:
    """The checks that a shell line runs, in order; [] for none.

    Looks behind `cd x &&`, variables, wrappers (`time`, `poetry run`, `npx`, `docker compose run`), shells
    (`bash -c`) and task runners (`make`, `npm run`), whose tasks are judged by their names.
    """
    found: list[Check] = []
    commands = split_commands(line)
    is_pipe_safe = is_strict = False
    for number, (words, _) in enumerate(commands):
        if words[0] == "set":
            is_pipe_safe = is_pipe_safe or "pipefail" in words
            is_strict = is_strict or any(word[:1] == "-" and "e" in word for word in words[1:])
            continue
        is_hidden = _is_hidden(
            [operator for _, operator in commands[number:]], is_pipe_safe=is_pipe_safe, is_strict=is_strict
        )
        for check in _check_of(words, depth) or _in_substitution(words, depth):
            found.append((*check[:3], check[3] or is_hidden))
    return found


def _is_hidden(operators: list[str], *, is_pipe_safe: bool, is_strict: bool) -> bool:
    """Whether what follows a command (`|`, `||`, `;`, `&`) hides its exit code from the one of the line."""
    if operators[0] == "|" and not is_pipe_safe:
        return True
    for number, operator in enumerate(operators):
        if operator in {"||", "&"}:
            return True
        if operator == ";":
            return number + 1 < len(operators) and not is_strict
    return False


def _in_substitution(words: list[str], depth: int) -> list[Check]:
    """The checks of `out=$(pytest 2>&1)`."""
    if len(words) != 1 or not _is_assignment(words[0]) or depth > MAX_DEPTH:
        return []
    _, mark, inner = words[0].partition("=$(")
    return find_checks(inner.removesuffix(")"), depth=depth + 1) if mark else []


def covers(passed: Check, failed: Check) -> bool:
    """Whether a check that passed says that another, which failed before, would pass, too: the same tool, pointed at
    the same or at more."""
    if passed[:2] != failed[:2]:
        return False
    return not passed[2] or all(_is_within(target, passed[2]) for target in failed[2] or ("",))


def _is_within(target: str, wider: tuple[str, ...]) -> bool:
    return any(target == one or (one and target.startswith((f"{one}/", f"{one}::"))) for one in wider)


def _check_of(words: list[str], depth: int) -> list[Check]:
    """The check that one simple command is or runs."""
    rest = _unwrap(words)
    if not rest or depth > MAX_DEPTH:
        return []
    name = _program(rest[0])
    if name in SHELLS:
        return _behind_shell(rest, depth)
    if name in CONTAINERS:
        inner = _behind_container(name, rest)
        return _check_of(inner, depth + 1) if inner else []
    if name in INTERPRETERS:
        return _behind_interpreter(name, rest, depth)
    if name == "find" and "-exec" in rest:
        inner = rest[rest.index("-exec") + 1 :]
        return _check_of([word for word in inner if word not in {"{}", "+", ";"}], depth + 1)
    if name in MONOREPOS:
        return read_monorepo(name, rest)
    if name in RUNNERS and (inner := _behind_runner(name, rest)):
        kind = kind_of_name(inner[0]) if name in PROJECT_RUNNERS else ""
        return _check_of(inner, depth + 1) or ([(kind, f"{name} {inner[0]}", (), False)] if kind else [])
    if name in TASK_RUNNERS and len(rest) > 1 and rest[1] in (MONOREPOS | SUBCOMMANDS.keys()):
        return _check_of(rest[1:], depth + 1)
    if name in TASK_RUNNERS:
        return read_tasks(name, rest)
    if name in SUBCOMMANDS:
        return _subcommand(name, rest)
    if name in PROGRAMS:
        return [] if only_asks(rest) else [(PROGRAMS[name], name, read_targets(rest[1:]), False)]
    return _script(rest)


def _unwrap(words: list[str]) -> list[str]:
    """The words without variables, keywords, and what only wraps: `time`, `sudo -u x`, `timeout 60`."""
    at = 0
    while at < len(words):
        word = words[at]
        name = _program(word)
        if word in _PREFIXES or _is_assignment(word):
            at += 1
        elif name in WRAPPERS:
            at += 1
            while at < len(words) and (words[at].startswith("-") or _is_assignment(words[at])):
                at += 2 if words[at] in WRAPPERS[name][1] else 1
            at += WRAPPERS[name][0]
        else:
            break
    return words[at:]


def _program(word: str) -> str:
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    for ending in (".exe", ".cmd", ".bat"):
        name = name.removesuffix(ending)
    return name


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.replace("_", "a").isalnum() and not name[:1].isdigit()


def _behind_shell(words: list[str], depth: int) -> list[Check]:
    """`bash -lc "..."`, or a script: `sh scripts/test.sh`."""
    for number, word in enumerate(words[1:], 1):
        if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
            return find_checks(" ".join(words[number + 1 : number + 2]), depth=depth + 1)
        if not word.startswith("-"):
            return _script(words[number:])
    return []


def _behind_container(name: str, words: list[str]) -> list[str]:
    """The command that runs in a container: what stands behind the service or image, or behind `--`."""
    if "--" in words:
        return words[words.index("--") + 1 :]
    at = 1
    if at < len(words) and words[at] == "compose":
        at += 1
        name = "docker-compose"
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in VALUED_OPTIONS else 1
    if at >= len(words) or words[at] not in CONTAINERS[name]:
        return []
    at += 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in VALUED_OPTIONS else 1
    return words[at + 1 :]


def _behind_interpreter(name: str, words: list[str], depth: int) -> list[Check]:
    """`python -m pytest`, `python manage.py test`, `node --test`, `node scripts/check.js`."""
    for number, word in enumerate(words[1:], 1):
        if words[number - 1] in {"-W", "-X", "-I", "-r", "--require", "--import", "--loader"}:
            continue
        if word == "-m" and name not in {"node", "ruby"}:
            return _check_of(words[number + 1 :], depth + 1)
        if word in {"-c", "-e", "-p", "--eval", "--print"}:
            return []
        if word == "--test" and name == "node":
            return [("test", "node --test", read_targets(words[number + 1 :]), False)]
        if word.startswith("-"):
            continue
        following = words[number + 1 : number + 2]
        if _program(word) in {"manage.py", "artisan", "console", "setup.py"} and following:
            is_test = following[0] == "test"
            return [("test", _program(word), read_targets(words[number + 2 :]), False)] if is_test else []
        tool = _program(word).removesuffix(".js").removesuffix(".mjs")
        if (tool in PROGRAMS or tool in SUBCOMMANDS) and (tool == _program(word) or "node_modules/" in word):
            return _check_of([tool, *words[number + 1 :]], depth + 1)
        return _script(words[number:])
    return []


def _behind_runner(name: str, words: list[str]) -> list[str]:
    """`poetry run X`, `uv run --with y X`, `npx X`, `bundle exec X`; [] where the runner does something else."""
    verbs, valued = RUNNERS[name]
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    if verbs:
        if at >= len(words) or words[at] not in verbs:
            return []
        at += 1
        while at < len(words) and words[at].startswith("-"):
            at += 2 if words[at] in valued else 1
    return words[at:]


def _subcommand(name: str, words: list[str]) -> list[Check]:
    """`go test`, `cargo clippy`, `ruff check`, `cmake --build`: programs that do many things."""
    if found := read_format(name, words):
        return found
    if only_asks(words):
        return []
    if name == "sbt":
        words = " ".join(words).split()
    known = SUBCOMMANDS[name]
    for number, word in enumerate(words[1:], 1):
        if word in known:
            kind = known[word]
            pointed = words[1:number] if name in MANY_GOALS else []
            pointed = [one for one in pointed if one.startswith("-D")] + words[number + 1 :]
            return [(kind, f"{name} {word}", read_targets(pointed), False)] if kind else []
        if name not in MANY_GOALS and not word.startswith(("-", "+")) and not _is_value(words[number - 1]):
            break
    kind = known.get("", "")
    return [(kind, name, read_targets(words[1:]), False)] if kind else []


def _is_value(option: str) -> bool:
    return option in VALUED_OPTIONS


def _script(words: list[str]) -> list[Check]:
    """A script of the project that says by its name that it checks: `./run_tests.sh`, `bin/test`."""
    path = words[0]
    is_path = "/" in path or path.endswith(_SCRIPT_ENDINGS)
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    kind = kind_of_name(stem) if is_path else ""
    if (
        kind == "build" and path.endswith(".py") and stem != "build"
    ):  # `build_index.py` builds something of its own
        return []
    return [(kind, path.removeprefix("./"), read_targets(words[1:]), False)] if kind else []
