"""What a call of a tool changed in files, as the lines that went and came, out of the client's payload."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # (path as the client names it, lines that went, lines that came)
    Edit = tuple[str, list[str], list[str]]

EDITING_TOOLS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
MAX_FILES = 40
# commands by which a work tree is put back to what it was before
_RESTORING = {
    "checkout": ("--", ".", "-f", "--force", "-p"),
    "restore": (),
    "reset": ("--hard", "--merge", "--keep"),
    "stash": (),
    "revert": (),
    "clean": (),
}
_MOVING = frozenset(("switch", "rebase", "merge", "pull", "cherry-pick", "bisect", "am"))
_NOT_STASHING = ("pop", "apply", "list", "show", "drop", "branch", "clear")


def edits_of(payload: dict[str, object]) -> list[Edit]:
    """The changes of a call that succeeded; [] for tools that change nothing.

    The client's own patch is taken where it is; without one what was asked for.
    """
    given = _dict(payload.get("tool_input"))
    response = _dict(payload.get("tool_response"))
    tool = payload.get("tool_name")
    if tool == "Bash":
        files = _dict(response.get("bashEditDiff")).get("files")
        listed = files if isinstance(files, list) else []
        return [
            (_text(file, "filePath"), *_sides(_dict(file).get("hunks")))
            for file in listed[:MAX_FILES]
            if _text(file, "filePath")
        ]
    path = _text(given, "file_path") or _text(given, "notebook_path") or _text(response, "filePath")
    if tool not in EDITING_TOOLS or not path:
        return []
    removed, added = _sides(response.get("structuredPatch"))
    if not removed and not added:
        removed, added = _asked(str(tool), given, response)
    return [(path, removed, added)] if removed or added else []


def _asked(tool: str, given: dict[str, object], response: dict[str, object]) -> tuple[list[str], list[str]]:
    if tool == "Write":
        before = _text(response, "originalFile")
        return difference(before, _text(given, "content"))
    if tool == "NotebookEdit":
        return difference(_text(response, "old_source"), _text(given, "new_source"))
    edits = given.get("edits")
    pairs = [_dict(edit) for edit in edits] if isinstance(edits, list) else [given]
    removed: list[str] = []
    added: list[str] = []
    for pair in pairs:
        gone, new = difference(_text(pair, "old_string"), _text(pair, "new_string"))
        removed += gone
        added += new
    return removed, added


def difference(before: str, after: str) -> tuple[list[str], list[str]]:
    """(lines only before, lines only after), each as often as it is there more often, in order."""
    old, new = before.split("\n") if before else [], after.split("\n") if after else []
    return _without(old, new), _without(new, old)


def _without(lines: Sequence[str], others: Iterable[str]) -> list[str]:
    counts: dict[str, int] = {}
    for line in others:
        counts[line] = counts.get(line, 0) + 1
    out = []
    for line in lines:
        if counts.get(line, 0):
            counts[line] -= 1
        else:
            out.append(line)
    return out


def _sides(hunks: object) -> tuple[list[str], list[str]]:
    removed: list[str] = []
    added: list[str] = []
    for hunk in hunks if isinstance(hunks, list) else []:
        lines = _dict(hunk).get("lines")
        for line in lines if isinstance(lines, list) else []:
            if isinstance(line, str) and line[:1] in {"-", "+"}:
                (removed if line[0] == "-" else added).append(line[1:])
    return removed, added


def restores(command: str) -> bool:
    """Whether a shell line puts files back by git; taking a stash up again in the same line says no."""
    if "git" not in command:
        return False
    from engram_hooks.sessions.shellwords import split_commands

    found = False
    for words, _ in split_commands(command):
        verb, rest = _git_verb(words)
        if verb == "stash" and rest[:1] and rest[0] in _NOT_STASHING:
            found = False if rest[0] in {"pop", "apply"} else found
        elif verb in _RESTORING:
            marks = _RESTORING[verb]
            found = found or not marks or any(word in marks for word in rest) or _names_files(verb, rest)
    return found


def moves_head(command: str) -> bool:
    """Whether a shell line goes to other commits: a branch switch, a rebase or a merge takes nothing back."""
    if "git" not in command:
        return False
    from engram_hooks.sessions.shellwords import split_commands

    verbs = [_git_verb(words) for words, _ in split_commands(command)]
    return any(
        verb in _MOVING or (verb == "checkout" and not restores(f"git checkout {' '.join(rest)}"))
        for verb, rest in verbs
    )


def _git_verb(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    if not words or words[0].rpartition("/")[2] != "git":
        return "", ()
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in {"-C", "-c"} else 1
    return (words[at], words[at + 1 :]) if at < len(words) else ("", ())


def _names_files(verb: str, rest: Sequence[str]) -> bool:
    """`git checkout HEAD src/a.py`: a path, not only a branch."""
    plain = [word for word in rest if not word.startswith("-")]
    return verb == "checkout" and len(plain) > 0 and any("." in word.rpartition("/")[2] for word in plain)


def _dict(part: object) -> dict[str, object]:
    return part if isinstance(part, dict) else {}


def _text(part: object, key: str) -> str:
    value = part.get(key) if isinstance(part, dict) else None
    return value if isinstance(value, str) else ""
