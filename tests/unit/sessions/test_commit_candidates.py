"""What becomes of the commit messages of a session."""

from __future__ import annotations

import pytest

from engram_hooks.sessions.candidates import Candidate, extract


def _extract(role: str, text: str, *, agent: str = "") -> list[Candidate]:
    return extract([("u1", role, text, 1000, "/home/dev/app", "main", "p", agent)], known=())


_HEREDOC = (
    "Bash: git add -A && git commit -m \"$(cat <<'EOF' \u23ce fix: reuse one idempotency key \u23ce "
    "A fresh key per retry charged twice, because the gateway \u23ce compares keys. \u23ce "
    'Co-Authored-By: Claude <noreply@anthropic.com> \u23ce EOF \u23ce )"'
)


@pytest.mark.parametrize(
    ("call", "kind", "summary"),
    [
        pytest.param(
            _HEREDOC,
            "incident",
            "reuse one idempotency key: A fresh key per retry charged twice, because the gateway compares keys.",
            id="heredoc",
        ),
        pytest.param(
            'Bash: git commit -m "Store money as cents" -m "Floats were replaced to avoid rounding errors."',
            "decision",
            "Store money as cents: Floats were replaced to avoid rounding errors.",
            id="two-parts",
        ),
        pytest.param(
            "Bash: git -C app commit -am 'Use SQLite instead of a JSON file'",
            "decision",
            "Use SQLite instead of a JSON file.",
            id="subject-with-reason",
        ),
    ],
)
def test_commit_message_with_a_reason_is_kept(call: str, kind: str, summary: str) -> None:
    for row in (("tool", call), ("assistant", f"Committing.\n{call}")):
        (found,) = _extract(*row)
        assert (found.kind, found.summary) == (kind, summary)


@pytest.mark.parametrize(
    "call",
    [
        'Bash: git commit -m "Fix typo"',
        'Bash: git commit -m "Add tests" -m "Covers the empty list."',
        "Bash: git commit --amend --no-edit",
        "Bash: git commit",
        "Bash: git log --grep 'because'",
        "Bash: echo 'git commit -m x because y'",
        'Bash: git commit -m "$(cat msg.txt)"',
        "Write notes/git commit -m because.md",
    ],
)
def test_plain_commits_give_nothing(call: str) -> None:
    assert _extract("tool", call) == []


def test_commits_of_subagents_count() -> None:
    assert len(_extract("tool", _HEREDOC, agent="a1")) == 1
