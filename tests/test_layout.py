"""The shape of the repository: sizes, names, docstrings, and nothing in it that must not be there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.support.repo_files import list_files, parse_modules, read_texts

MAX_MODULE_LINES = 300
MAX_FUNCTION_LINES = 40
MAX_POSITIONAL = 4
MAX_MAIN_LINES = 120
VAGUE_WORDS = {"util", "utils", "helper", "helpers", "manager", "base", "common", "misc"}
GIT_WORDS = {"base", "common"}  # a merge base, the common folder of worktrees
MAY_CATCH_ALL = {"engram_hooks/entry.py", "engram_hooks/worker.py", "engram_hooks/cli/main.py"}

PACKAGE = parse_modules("engram_hooks/")
TESTS = parse_modules("tests/")
TEXTS = read_texts()

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_of(tree: ast.AST) -> Iterator[Function]:
    """Yield every function and method of a module."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def body_lines(function: Function) -> int:
    """Return the number of lines of a function from `def` on; of a command without its list of options."""
    start = function.body[0].lineno if is_command(function) else function.lineno
    return (function.end_lineno or start) - start + 1


def positional_of(function: Function) -> list[ast.arg]:
    """Return the parameters that a caller may give by position, without self and cls."""
    found = [*function.args.posonlyargs, *function.args.args]
    return found[1:] if found and found[0].arg in {"self", "cls"} else found


def is_command(function: Function) -> bool:
    """Return whether click calls the function: its parameters come by name."""
    marks = {"command", "option", "argument", "group", "pass_context"}
    names = {
        n.attr for mark in function.decorator_list for n in ast.walk(mark) if isinstance(n, ast.Attribute)
    }
    return bool(names & marks)


def positional_flags(function: Function) -> list[str]:
    """Return the parameters that are yes or no and may be given by position."""
    found = positional_of(function)
    defaults = function.args.defaults
    by_default = [
        arg.arg
        for arg, default in zip(found[len(found) - len(defaults) :], defaults, strict=False)
        if isinstance(default, ast.Constant) and isinstance(default.value, bool)
    ]
    by_type = [a.arg for a in found if isinstance(a.annotation, ast.Name) and a.annotation.id == "bool"]
    return sorted({*by_default, *by_type})


def words_of(label: str) -> set[str]:
    """Return the lower-case words of a name: `UserManager` is user, manager."""
    return {word.lower() for word in re.split(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", label)}


def public_definitions(tree: ast.Module) -> Iterator[Function | ast.ClassDef]:
    """Yield the functions and classes of a module that its callers use."""
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node


def test_modules_are_short() -> None:
    lengths = {name: TEXTS[name].count("\n") for name in [*PACKAGE, *TESTS]}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_MODULE_LINES} == {}


def test_command_line_entrance_is_short() -> None:
    assert TEXTS["engram_hooks/cli/main.py"].count("\n") < MAX_MAIN_LINES


def test_functions_are_short() -> None:
    lengths = {
        f"{name}:{function.name}": body_lines(function)
        for name, tree in [*PACKAGE.items(), *TESTS.items()]
        for function in functions_of(tree)
    }
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION_LINES} == {}


def test_functions_take_few_values_by_position() -> None:
    found = {
        f"{name}:{function.name}": len(positional_of(function))
        for name, tree in PACKAGE.items()
        for function in functions_of(tree)
        if not is_command(function)
    }
    assert {name: count for name, count in found.items() if count > MAX_POSITIONAL} == {}


def test_yes_or_no_is_given_by_name() -> None:
    found = {
        f"{name}:{function.name}": flags
        for name, tree in PACKAGE.items()
        for function in functions_of(tree)
        if (flags := positional_flags(function)) and not is_command(function)
    }
    assert found == {}


def test_modules_say_what_they_answer() -> None:
    modules = [*PACKAGE.items(), *TESTS.items()]
    assert [name for name, tree in modules if tree.body and not ast.get_docstring(tree)] == []


def test_public_definitions_are_described() -> None:
    missing = [
        f"{name}:{node.name}"
        for name, tree in PACKAGE.items()
        for node in public_definitions(tree)
        if not ast.get_docstring(node)
    ]
    assert missing == []


def test_names_say_something() -> None:
    labels = [
        (name, label, VAGUE_WORDS if isinstance(node, ast.ClassDef) else VAGUE_WORDS - GIT_WORDS)
        for name, tree in [*PACKAGE.items(), *TESTS.items()]
        for node in ast.walk(tree)
        if isinstance(node, Function | ast.ClassDef) and (label := node.name)
    ]
    labels += [(name, name, VAGUE_WORDS) for name in [*PACKAGE, *TESTS]]
    vague = [f"{name}:{label}" for name, label, words in labels if words_of(label) & words]
    assert vague == []


def swallows_everything(node: ast.AST) -> bool:
    """Return whether a handler takes every exception and does not raise it again."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    is_broad = node.type is None or (isinstance(node.type, ast.Name) and node.type.id.endswith("Exception"))
    return is_broad and not any(isinstance(step, ast.Raise) and step.exc is None for step in node.body)


def test_everything_is_caught_in_three_places_only() -> None:
    found = {name for name, tree in PACKAGE.items() if any(map(swallows_everything, ast.walk(tree)))}
    assert found <= MAY_CATCH_ALL


# What must not stand in any file. The patterns are put together here, so that they do not find themselves.
FOREIGN = {
    "a folder of one machine": r"(?<![\w.$}~])/(?:wo"
    r"rk|ro"
    r"ot|Us"
    r"ers)/\w|/tmp/ve"
    r"nv|/opt/wh"
    r"eels",
    "a registry": r"registry\.npm" r"js|pypi\.o" r"rg|files\.python" r"hosted|proxy\.gol" r"ang",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE" r" KEY-----\\?n?\s*[A-Za-z0-9+/]{16}",
    "a token": r"\b(?:gh[pousr]_[A-Za-z0-9]{30}|github_pat_\w{30}|glpat-[\w-]{20}|xox[abprs]-[\w-]{20}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|sk-ant-\w{3,}-[\w-]{20}|sk_live_\w{20}|npm_[A-Za-z0-9]{36}"
    r"|eyJ[\w-]{12,}\.eyJ[\w-]{12,}\.[\w-]{8})",
}


@pytest.mark.parametrize("pattern", [pytest.param(value, id=key) for key, value in FOREIGN.items()])
def test_repository_holds_nothing_foreign(pattern: str) -> None:
    found = [
        f"{name}:{number}"
        for name, text in TEXTS.items()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        pytest.param("a folder of one machine", "cd /wo" + "rk/main", id="folder"),
        pytest.param("a registry", "https://pypi.o" + "rg/simple", id="registry"),
        pytest.param("a private key", "-----BEGIN RSA PRIVATE" + " KEY-----" + "M" * 20, id="key"),
        pytest.param("a token", "ghp" + "_" + "a1B2" * 9, id="token"),
    ],
)
def test_foreign_text_would_be_found(kind: str, text: str) -> None:
    assert re.search(FOREIGN[kind], text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("see ~/work/notes and $HOME/work/x", id="a user's own folder"),
        pytest.param("-----BEGIN RSA PRIVATE" + " KEY-----", id="only the header"),
        pytest.param("ghp_" + "...", id="only the prefix"),
    ],
)
def test_innocent_text_is_not_found(text: str) -> None:
    assert [kind for kind, pattern in FOREIGN.items() if re.search(pattern, text)] == []


def test_packages_have_an_init() -> None:
    folders = {path.parent for path in list_files() if path.suffix == ".py" and path.parts[-2] != "docs"}
    folders = {folder for folder in folders if "engram_hooks" in folder.parts or "tests" in folder.parts}
    assert [folder.name for folder in folders if not (folder / "__init__.py").exists()] == []
