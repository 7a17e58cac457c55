"""What a core block is made of: entries of one line each, how they are compared, and its Markdown file."""

from __future__ import annotations

from engram_hooks.guard.firewall import name_order, strip_hidden
from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend
from engram_hooks.recall.core import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TITLES = {"user": "You", "agent": "The agent"}
_ABOUT = {
    "user": "who you are, how you like answers, what always holds for you",
    "agent": "quirks of this machine, habits across projects, lessons, traps of tools",
}
_BULLETS = "- ", "* ", "+ ", "• "


def tidy(text: str) -> str:
    """An entry as it is kept: one line, no hidden characters, no bullet before it, no secrets in it."""
    line = " ".join(strip_hidden(text).split())
    while line.startswith(_BULLETS):
        line = line[2:].lstrip()
    return mend(redact(line))


def split_entries(text: str) -> list[str]:
    """The entries that a person gave, one a line, each once; empty lines say nothing."""
    return keep_distinct(tidy(line) for line in text.splitlines())


def keep_distinct(lines: Iterable[str]) -> list[str]:
    """The lines that say something, each text once, in their order."""
    found: dict[str, str] = {}
    for line in lines:
        found.setdefault(fold(line), line)
    return [line for key, line in found.items() if key]


def count_chars(lines: Sequence[str]) -> int:
    """The room that entries take in their block."""
    return sum(map(len, lines)) + max(0, len(lines) - 1)


def find_matches(lines: Sequence[str], part: str) -> list[int]:
    """The places of the entries that a person means by a part of their text; the whole text means that one alone."""
    wanted = fold(part)
    if not wanted:
        return []
    whole = [at for at, line in enumerate(lines) if fold(line) == wanted]
    return whole or [at for at, line in enumerate(lines) if wanted in " ".join(line.casefold().split())]


def find_fault(lines: Sequence[str], cap: int) -> str:
    """Why these entries cannot be a block, as the end of a sentence; '' where they can."""
    for at, line in enumerate(lines, 1):
        if kind := name_order(line):
            return f"its entry {at} reads as an order to take over an agent ({kind})"
    if kind := name_order("\n".join(lines)):
        return f"its entries together read as an order to take over an agent ({kind})"
    chars = count_chars(lines)
    return f"it has {chars:,} characters where {cap:,} fit" if chars > cap else ""


def render_file(block: str, lines: Sequence[str], cap: int) -> str:
    """The Markdown file of a block."""
    head = (
        f"# {TITLES[block]}\n\n<!-- engram begins every session in every project with this: {_ABOUT[block]}.\n"
        f"One entry a line, {cap:,} characters in all. Change it here or with `engram core`. -->\n"
    )
    return head + "".join(f"\n- {line}" for line in lines) + ("\n" if lines else "")


def parse_file(text: str) -> list[str]:
    """The entries of a Markdown file: its lines without headings, comments and rules, each text once."""
    lines: list[str] = []
    in_comment = False
    for line in text.lstrip("\ufeff").splitlines():
        bare = line.strip()
        if in_comment or bare.startswith("<!--"):
            in_comment = "-->" not in bare
        elif not bare.startswith(("# ", "## ", "### ", "#### ")) and bare.strip("-*_="):
            lines.append(tidy(bare))
    return keep_distinct(lines)
