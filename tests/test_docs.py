"""The documentation agrees with the code."""

from __future__ import annotations

import re
import runpy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engram_hooks.client.commands import hook_commands, statusline_command
from engram_hooks.client.findings import ERROR, LEVELS, NOTE, WARNING
from engram_hooks.client.setup import setup
from engram_hooks.store.settings import DEFAULTS
from tests.support.repo_files import ROOT, list_files

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in list_files()
    if path.suffix == ".md"
}
GENERATED: dict[str, Callable[[], str]] = runpy.run_path(str(DOCS / "generate.py"))["PAGES"]
LEVEL_WORDS = {"Error": ERROR, "Warning": WARNING, "Note": NOTE}


def list_commands() -> list[tuple[str, Any]]:
    """Return every command with what a person types for it."""
    return list(runpy.run_path(str(DOCS / "generate.py"))["list_commands"]())


@pytest.mark.parametrize("page", sorted(GENERATED))
def test_generated_page_is_up_to_date(page: str) -> None:
    assert (DOCS / page).read_text(encoding="utf-8") == GENERATED[page](), "python docs/generate.py"


def test_every_finding_is_explained_with_its_weight() -> None:
    text = (DOCS / "messages.md").read_text(encoding="utf-8")
    explained = re.findall(r"^### (\S+)\n\n(\w+)", text, re.MULTILINE)
    assert {slug: LEVEL_WORDS[word] for slug, word in explained} == LEVELS


def test_every_command_has_help() -> None:
    assert [name for name, command in list_commands() if not (command.help or "").strip()] == []


def test_every_option_has_help() -> None:
    missing = [
        f"{name} {option.opts[-1]}"
        for name, command in list_commands()
        for option in command.params
        if option.param_type_name == "option" and not getattr(option, "help", None)
    ]
    assert missing == []


def test_every_command_is_mentioned() -> None:
    prose = "\n".join(text for name, text in PAGES.items() if name != "docs/cli.md")
    names = [
        name for name, command in list_commands() if name != "engram" and not hasattr(command, "commands")
    ]
    assert [name for name in names if name not in prose and name.split()[1] not in prose] == []


def test_readme_names_existing_commands_only() -> None:
    typed = set(re.findall(r"(?:`|\$ |bin/)engram ([a-z][a-z-]+)", README))
    known = {name.split()[1] for name, _ in list_commands() if " " in name}
    assert typed - known == set()
    assert typed & known


def test_every_setting_is_documented() -> None:
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| (\S+) \|", text, re.MULTILINE))
    assert {name: value.strip("`") for name, value in rows.items()} == {
        name: {"True": "true", "False": "false"}.get(str(value), str(value)) or "empty"
        for name, value in DEFAULTS.items()
    }


@pytest.mark.parametrize("words", ["engram setup", "pytest"])
def test_readme_has_one_command_line_of(words: str) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if words in line]
    assert len(lines) == 1


def test_links_lead_somewhere() -> None:
    broken = []
    for path in list_files():
        if path.suffix != ".md":
            continue
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            if "://" not in target and not (path.parent / target).exists():
                broken.append(f"{path.name}: {target}")
    assert broken == []


def test_example_settings_are_what_setup_writes(tmp_path: Path) -> None:
    data = Path("/home/ana/.local/share/engram")
    path = tmp_path / "settings.json"
    setup(tmp_path / "data", path)
    written = path.read_text(encoding="utf-8").replace(str(tmp_path / "data"), str(data))
    assert (ROOT / "examples" / "settings.json").read_text(encoding="utf-8") == written
    assert hook_commands(data, windows=False)["Stop"] in written.replace("\\", "")
    assert statusline_command(data, windows=False) in written


@pytest.mark.parametrize("name", ["config.toml", "team/.engram/config.toml"])
def test_example_settings_are_known(name: str) -> None:
    values = tomllib.loads((ROOT / "examples" / name).read_text(encoding="utf-8"))
    project = values.pop("project", None)
    found = {f"{table}.{key}": value for table, keys in values.items() for key, value in keys.items()}
    assert found
    assert {key: type(value) for key, value in found.items()} == {key: type(DEFAULTS[key]) for key in found}
    assert (project is None) == (name == "config.toml")
