"""Subjects where a wrong memory is dear."""

from __future__ import annotations

import pytest

from engram_hooks.curate.changes.risks import find_risk


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        ("Logins go through Keycloak.", "auth"),
        ("The orders table has a new column.", "schema"),
        ("Prices are integer cents.", "money"),
        ("Webhooks are retried 5 times.", "retry"),
        ("Migrations run before the deploy.", "migration"),
        ("Tokens are encrypted.", "security"),
        ("Docs are built with MkDocs.", ""),
        ("Standup is at 10:15.", ""),
        ("", ""),
    ],
)
def test_risky_subject(text: str, risk: str) -> None:
    assert find_risk(text) == risk
