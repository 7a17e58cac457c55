"""What `engram pre-commit` prints: one line a finding, with the command that tells more."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engram_hooks.guard.firewall import clean
from engram_hooks.recall.brief import NOUNS

if TYPE_CHECKING:
    from engram_hooks.curate.code.precommit import Report
    from engram_hooks.curate.code.precommit_checks import Finding

MAX_SHOWN = 10
MAX_ALIGNED = 110
HASH_DIGITS = 8
_MAX_SUBJECT_CHARS = 90
_MAX_PATH_CHARS = 160
_MAX_NOTE_CHARS = 200
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+@%=:,")
_WARN, _DIM, _END = "\x1b[33m", "\x1b[2m", "\x1b[0m"


def render(report: Report, *, is_blocked: bool, has_colour: bool) -> str:
    """The lines for a person, '' where nothing was found."""
    if not report.findings:
        return ""
    count = len(report.findings)
    things = f"{count} thing{'s' if count > 1 else ''} to look at"
    warn, dim, end = (_WARN, _DIM, _END) if has_colour else ("", "", "")
    rows = [(_tell(finding), _name_command(finding)) for finding in report.findings[:MAX_SHOWN]]
    width = max((len(text) for text, _ in rows if len(text) <= MAX_ALIGNED), default=0)
    lines = [f"{warn}engram:{end} {things} (this commit is {'' if is_blocked else 'not '}blocked)"]
    lines += [f"  {text:<{width}}   {dim}{command}{end}" for text, command in rows]
    if count > MAX_SHOWN:
        lines.append(f"  and {count - MAX_SHOWN} more   {dim}engram pre-commit --json{end}")
    if is_blocked:
        lines.append("  To commit all the same: git commit --no-verify")
    return "\n".join(lines) + "\n"


def to_json(report: Report, *, is_blocked: bool) -> dict[str, object]:
    """The contract of `engram pre-commit --json`."""
    return {
        "findings": [_finding_to_json(finding) for finding in report.findings],
        "blocked": is_blocked,
        "checked": not report.reason,
        "reason": report.reason or None,
    }


def _tell(finding: Finding) -> str:
    path = clean(finding.path, max_chars=_MAX_PATH_CHARS)
    if finding.check == "rule":
        return f"{path}  {clean(finding.note, max_chars=_MAX_NOTE_CHARS)}"
    if finding.check == "attempt":
        return f"{path}  does again what was given up: {clean(finding.note, max_chars=_MAX_NOTE_CHARS)}"
    if finding.deed is None:
        source = clean(finding.source, max_chars=_MAX_PATH_CHARS)
        hidden = ", no import between them" if finding.is_hidden else ""
        commits = f"{finding.support} of {finding.total} commits"
        return f"not staged: {path} changed with {source} in {commits}{hidden}"
    lines = "a line" if finding.line_count == 1 else f"{finding.line_count} lines"
    name, _, intent, subject = finding.deed
    deed = f"{NOUNS.get(intent, 'change')} {name[:HASH_DIGITS]}"
    quoted = clean(subject, max_chars=_MAX_SUBJECT_CHARS).replace('"', "'")
    where = f"{path}:{finding.line}" if finding.line else path
    if finding.check == "returned":
        return f'{where}  brings back {lines} that {deed} took out "{quoted}"'
    verb = "is deleted, with" if finding.is_deleted else "changes" if finding.is_replaced else "removes"
    return f'{where}  {verb} {lines} of {deed} "{quoted}"'


def _name_command(finding: Finding) -> str:
    if finding.deed is not None:
        return f"engram why {finding.deed[0][:HASH_DIGITS]}"
    if finding.check == "attempt":
        return f"engram attempts show {finding.ref}"
    if finding.check == "rule":
        return f"engram invariant check {_quote(clean(finding.path, max_chars=_MAX_PATH_CHARS))}"
    return f"engram cochange {_quote(clean(finding.source, max_chars=_MAX_PATH_CHARS))}"


def _quote(path: str) -> str:
    if _PLAIN.issuperset(path) and not path.startswith("-"):
        return path
    return "'" + path.replace("'", "'\\''") + "'"


def _finding_to_json(finding: Finding) -> dict[str, object]:
    shared: dict[str, object] = {"check": finding.check, "file": finding.path}
    told: dict[str, object] = {"text": _tell(finding), "command": _name_command(finding)}
    if finding.check == "attempt":
        return {**shared, "attempt": finding.ref, **told}
    if finding.check == "rule":
        return {**shared, "rule": finding.ref, **told}
    if finding.deed is None:
        partner: dict[str, object] = {
            "source": finding.source,
            "support": finding.support,
            "total": finding.total,
            "hidden": finding.is_hidden,
        }
        return {**shared, **partner, **told}
    name, at_ms, intent, subject = finding.deed
    lines: dict[str, object] = {
        "line": finding.line or None,
        "lines": finding.line_count,
        "deleted": finding.is_deleted,
        "commit": name,
        "intent": intent,
        "subject": clean(subject, max_chars=_MAX_SUBJECT_CHARS),
        "date": _format_date(at_ms),
    }
    return {**shared, **lines, **told}


def _format_date(at_ms: int) -> str:
    """`2024-05-09`, the day in UTC; '' for a moment that no calendar of this machine holds."""
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(at_ms / 1000))
    except (OverflowError, ValueError, OSError):
        return ""
