"""Subjects where a wrong memory is dear: what was only heard about them waits for a person."""

from __future__ import annotations

from engram_hooks.curate.changes.words import stem_word

# subject -> the words that speak of it; documented in docs/curation.md
RISKS = {
    "auth": "auth authentication authorization login logout sign-in signin sso oauth oidc saml jwt session password"
    " passkey mfa 2fa permission role rbac acl",
    "schema": "schema column table index foreign constraint ddl",
    "money": "money amount price payment charge refund invoice billing currency tax payout cent cents",
    "retry": "retry retries backoff idempotency idempotent dedupe",
    "migration": "migration migrate backfill rollback downgrade",
    "security": "security secret token key credential vault encrypt encryption tls certificate csrf xss cors injection"
    " vulnerability pentest",
}
_BY_STEM = {stem_word(word): name for name, words in RISKS.items() for word in words.split()}


def find_risk(text: str) -> str:
    """The risky subject that a text speaks of: auth, schema, money, retry, migration or security; '' for none."""
    words = "".join(char if char.isalnum() or char == "-" else " " for char in text).split()
    return next((_BY_STEM[stem] for stem in map(stem_word, words) if stem in _BY_STEM), "")
