"""What task runners run, and what a check is pointed at."""

from __future__ import annotations

from engram_hooks.sessions.check_tables import (
    KINDS,
    PROGRAMS,
    SCRIPT_WORDS,
    TASK_RUNNERS,
    VALUED_OPTIONS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.sessions.checks import Check

# options with which a program tells of itself, or lists what it would do
ASKS = frozenset(
    "--version --help -h --init --showConfig --collect-only --co --fixtures --markers --listTests --print-config"
    " --install-types --list-tests".split()
)
# with which make only shows
ONLY_SHOWS = frozenset("-n --dry-run --just-print --recon --version --help -h -p".split())
# what only formats, and with which options it checks instead
_FORMATS = {
    **dict.fromkeys(("cargo", "terraform", "deno", "zig"), "fmt"),
    **dict.fromkeys(("ruff", "mix", "dotnet", "dart"), "format"),
}
_FORMAT_CHECKS = ("--check", "-check", "--verify-no-changes", "--set-exit-if-changed", "--diff")
# runners of the tasks of many packages
MONOREPOS = frozenset(("nx", "turbo", "lerna", "moon", "rush"))


_NO_TASKS = frozenset("install i ci add remove exec dlx start publish init".split())


def read_tasks(name: str, words: list[str]) -> list[Check]:
    """The tasks of `make`, `npm run`, `just`: a name that says test, lint, build or check is one."""
    verbs, default = TASK_RUNNERS[name]
    if any(word in ONLY_SHOWS for word in words[1:]):
        return []
    names = [
        word
        for number, word in enumerate(words[1:])
        if not word.startswith("-")
        and "=" not in word
        and words[number] not in (VALUED_OPTIONS if verbs else {"--tests", "-C", "-f"})
    ]
    if not names:
        return [(default, name, (), False)] if default else []
    if names[0] == "workspace":
        names = names[2:]
    if names and names[0] in verbs:
        names = names[1:2]
    elif verbs and names and names[0] in _NO_TASKS:
        return []
    elif verbs:
        names = names[:1]
    selected = tuple(one for one in read_targets(words[1:]) if one.startswith("--tests "))
    return [
        (kind, task if task in PROGRAMS else f"{name} {task}", selected, False)
        for task in names
        if (kind := PROGRAMS.get(task) or kind_of_name("test" if verbs and task in {"t", "tst"} else task))
    ]


def read_monorepo(name: str, words: list[str]) -> list[Check]:
    """The tasks of `nx test shop`, `nx run shop:test`, `nx affected -t lint test`, `turbo run test --filter=web`."""
    tasks: list[str] = []
    pointed: list[str] = []
    plain: list[str] = []
    is_listing = False
    for word in words[1:]:
        if word in {"-t", "--target", "--targets"}:
            is_listing = True
        elif word.startswith(("--target=", "--targets=", "-t=")):
            tasks += word.partition("=")[2].split(",")
        elif word.startswith("-"):
            is_listing = False
            pointed += [word] if word.startswith("--filter=") else []
        elif is_listing:
            tasks += word.split(",")
        else:
            plain.append(word)
    if not tasks and plain:
        if plain[0] in {"run", "exec"}:
            plain = plain[1:]
        for word in plain if name == "turbo" else plain[:1]:
            project, colon, task = word.partition(":")
            tasks.append(task if colon else word)
            pointed += [project] if colon else []
        pointed += plain[1:] if name != "turbo" else []
    where = tuple(sorted(pointed))
    return [(kind, f"{name} {task}", where, False) for task in tasks if (kind := kind_of_name(task))]


def read_format(name: str, words: list[str]) -> list[Check]:
    """The check that a formatter makes where it is told to change nothing: `cargo fmt --check`; [] else."""
    verb = _FORMATS.get(name)
    if not verb or verb not in words or not any(word.startswith(_FORMAT_CHECKS) for word in words):
        return []
    return [("lint", f"{name} {verb}", read_targets(words[words.index(verb) + 1 :]), False)]


def kind_of_name(name: str) -> str:
    """What a task or script of this name checks: a kind of KINDS, '' for nothing."""
    words = _without_capitals(name)
    for char in ":-_./":
        words = words.replace(char, " ")
    parts = words.split()
    for kind in KINDS:
        if any(part in SCRIPT_WORDS[kind] for part in parts):
            return kind
    return ""


def _without_capitals(name: str) -> str:
    """`testDebugUnitTest` as `test debug unit test`."""
    out = []
    for before, char in zip(" " + name, name, strict=False):
        out.append(f" {char}" if char.isupper() and before.islower() else char)
    return "".join(out).lower()


def only_asks(words: list[str]) -> bool:
    """Whether a call asks for the version or help, or writes a configuration."""
    return words[1:] in (["-V"], ["-v"]) or any(word in ASKS for word in words[1:])


def read_targets(words: list[str]) -> tuple[str, ...]:
    """What a check is pointed at: its arguments that are no options, and what selects among them."""
    out: list[str] = []
    last = ""
    for word in words[: words.index("--")] if "--" in words else words:
        if last in VALUED_OPTIONS and not word.startswith("-"):
            if last in {
                "-k",
                "-run",
                "--run",
                "-t",
                "--testNamePattern",
                "--filter",
                "-m",
                "--tests",
                "--grep",
                "-g",
            }:
                out.append(f"{last} {word}")
        elif not word.startswith("-") and word not in {".", "./..."} and (out or last or word != "run"):
            out.append(word.removeprefix("./").rstrip("/"))
        elif word.startswith(("-run=", "--filter=", "--grep=", "-Dtest=", "--tests=", "--testNamePattern=")):
            out.append(word)
        last = word
    return tuple(sorted(out))
