"""Tokens of issuers are redacted by their shape, wherever they stand; look-alikes stay."""

from __future__ import annotations

import pytest

from engram_hooks.guard.issuers import ISSUERS
from engram_hooks.guard.redact import MARKER, find_secrets, redact
from tests.unit.guard.secret_parts import CAPITALS, DIGITS, HEX, MIXED, join

TOKENS = {
    "github": join("gh", "p_", MIXED[:36]),
    "github-app": join("gh", "s_", MIXED[:36]),
    "github-fine": join("github", "_pat_", MIXED[:22], "_", MIXED[:59]),
    "gitlab": join("gl", "pat-", MIXED[:20]),
    "gitlab-runner": join("gl", "rt-", MIXED[:20]),
    "aws": join("AK", "IA", CAPITALS[:16]),
    "aws-session": join("AS", "IA", CAPITALS[:16]),
    "slack": join("xo", "xb-", DIGITS[:12], "-", DIGITS[:12], "-", MIXED[:24]),
    "slack-app": join("xa", "pp-1-A", DIGITS[:10], "-", DIGITS[:12], "-", MIXED[:40]),
    "stripe": join("sk", "_live_", MIXED[:24]),
    "stripe-restricted": join("rk", "_test_", MIXED[:24]),
    "stripe-hook": join("wh", "sec_", MIXED[:32]),
    "openai": join("sk-", "proj-", MIXED[:48]),
    "openai-old": join("sk-", MIXED[:48]),
    "anthropic": join("sk-", "ant-api03-", MIXED[:80], "-AA"),
    "openrouter": join("sk-", "or-v1-", HEX[:64]),
    "google": join("AI", "za", MIXED[:35]),
    "google-client": join("GOC", "SPX-", MIXED[:28]),
    "google-access": join("ya", "29.", MIXED[:60]),
    "npm": join("np", "m_", MIXED[:36]),
    "pypi": join("py", "pi-AgEIcHlwaS5vcmc", MIXED[:60]),
    "rubygems": join("ruby", "gems_", HEX[:48]),
    "docker": join("dckr", "_pat_", MIXED[:27]),
    "sendgrid": join("S", "G.", MIXED[:22], ".", MIXED[:43]),
    "mailgun": join("key", "-", HEX[:32]),
    "mailchimp": join(HEX[:32], "-u", "s12"),
    "brevo": join("xkey", "sib-", HEX[:64], "-", MIXED[:16]),
    "telegram": join(DIGITS[:10], ":A", "A", MIXED[:33]),
    "discord": join("MT", MIXED[:22], ".", MIXED[:6], ".", MIXED[:30]),
    "huggingface": join("h", "f_", MIXED[:34]),
    "digitalocean": join("do", "p_v1_", HEX[:64]),
    "jwt": join("ey", "J", MIXED[:30], ".ey", "J", MIXED[:60], ".", MIXED[:43]),
    "heroku": join("HR", "KU-", HEX[:8], "-", HEX[8:12], "-", HEX[:4], "-", HEX[4:8], "-", HEX[:12]),
    "linear": join("lin", "_api_", MIXED[:40]),
    "notion": join("nt", "n_", DIGITS[:11], MIXED[:35]),
    "figma": join("fi", "gd_", MIXED[:40]),
    "airtable": join("pa", "t", MIXED[:14], ".", HEX[:64]),
    "atlassian": join("ATA", "TT3x", MIXED[:120]),
    "shopify": join("shp", "at_", HEX[:32]),
    "square": join("sq0", "atp-", MIXED[:22]),
    "databricks": join("da", "pi", HEX[:32]),
    "grafana": join("gl", "sa_", MIXED[:32], "_", HEX[:8]),
    "newrelic": join("NR", "AK-", CAPITALS[:27]),
    "sentry": join("snt", "ryu_", HEX[:64]),
    "planetscale": join("psc", "ale_tkn_", MIXED[:43]),
    "supabase": join("sb", "p_", HEX[:40]),
    "vault": join("hv", "s.", MIXED[:24]),
    "doppler": join("dp.", "pt.", MIXED[:43]),
    "pulumi": join("pu", "l-", HEX[:40]),
    "netlify": join("nf", "p_", MIXED[:40]),
    "buildkite": join("bk", "ua_", HEX[:40]),
    "circleci": join("CCI", "PAT_", MIXED[:22], "_", HEX[:40]),
    "sonar": join("sq", "u_", HEX[:40]),
    "postman": join("PM", "AK-", HEX[:24], "-", HEX[:34]),
    "groq": join("gs", "k_", MIXED[:52]),
    "replicate": join("r8", "_", MIXED[:37]),
    "perplexity": join("pp", "lx-", MIXED[:48]),
    "nvidia": join("nv", "api-", MIXED[:64]),
    "tailscale": join("ts", "key-auth-", MIXED[:16], "-", MIXED[:32]),
    "age": join("AGE-SEC", "RET-KEY-1", CAPITALS[:48], "QPZR2"[:3] + "AC4M8WT"),
    "azure-client": join("abC8", "Q~", MIXED[:34]),
    "twilio": join("S", "K", HEX[:32]),
    "alibaba": join("LT", "AI", MIXED[:20]),
    "plaid": join("access-", "sandbox-", HEX[:8], "-", HEX[:4], "-", HEX[:4], "-", HEX[:4], "-", HEX[:12]),
    "resend": join("r", "e_", MIXED[:8], "_", MIXED[:24]),
}
CARRIERS = {
    "prose": "zephyr says {} is the one, mango agrees",
    "line": "{}",
    "quoted": 'zephyr "{}" mango',
    "json": '{{"zephyr": "{}", "port": 8080, "x": "mango"}}',
    "escaped": "zephyr\\n{}\\nmango",
    "colour": "zephyr \x1b[32m{}\x1b[0m mango",
    "encoded": "zephyr?x=%22{}%22&mango=1",
    "list": "zephyr,{},mango",
}


@pytest.mark.parametrize("family", TOKENS)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_token_is_redacted_and_its_surroundings_stay(family: str, carrier: str) -> None:
    before, after = CARRIERS[carrier].format("\0").split("\0")
    assert redact(before + TOKENS[family] + after) == before + MARKER + after


def test_more_than_a_hundred_starts_of_issuers_are_known() -> None:
    starts = [row[0] for row in ISSUERS]
    assert len(starts) > 100
    assert len(starts) == len(set(starts))


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d", "\u202e", "\U000e0041"])
@pytest.mark.parametrize("at", [1, 3, 12])
def test_invisible_character_inside_a_token_does_not_save_it(hidden: str, at: int) -> None:
    token = TOKENS["github"]
    assert redact(f"see {token[:at]}{hidden}{token[at:]} there") == f"see {MARKER} there"


def test_invisible_characters_outside_of_secrets_stay() -> None:
    text = "می\u200cخواهد " + TOKENS["npm"] + " \u00ad end"
    assert redact(text) == f"می\u200cخواهد {MARKER} \u00ad end"


def test_spans_are_sorted_apart_and_hold_the_token() -> None:
    text = f"{TOKENS['npm']} then {TOKENS['aws']} then {TOKENS['jwt']}"
    spans = find_secrets(text)
    assert [text[start:end] for start, end, _kind in spans] == [TOKENS["npm"], TOKENS["aws"], TOKENS["jwt"]]
    assert [kind for _start, _end, kind in spans] == ["token", "token", "jwt"]


UNTOUCHED = {
    "commit": f"commit {HEX[:40]}\nAuthor: Ada <ada@example.invalid>",
    "range": f"{HEX[:9]}..{HEX[9:18]} main -> main",
    "uuid": "request 8a2f6c1e-3b7d-4a95-b1a0-5f6e7d8c9b0a took 12 ms",
    "integrity": f'"integrity": "sha512-{MIXED[:86]}=="',
    "checksum": f'name = "serde"\nchecksum = "{HEX[:64]}"',
    "pip-hash": f"attrs==23.1.0 --hash=sha256:{HEX[:64]}",
    "go-sum": f"example.invalid/pkg v1.2.0 h1:{MIXED[:43]}=",
    "digest": f"FROM python@sha256:{HEX[:64]}",
    "etag": 'ETag: W/"5e1-9d4f5b6c7a8e"',
    "traceparent": f"traceparent: 00-{HEX[:32]}-{HEX[:16]}-01",
    "hex-colour": "a{color:#9f86d0;background:#fff}",
    "public-key": f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{MIXED[:43]} ada@laptop",
    "data-uri": f"url(data:image/png;base64,iVBORw0KGgo{MIXED[:90]})",
    "placeholder-github": join("gh", "p_", "x" * 36),
    "placeholder-anthropic": join("sk-", "ant-api03-your-key-here"),
    "documented-aws": join("AK", "IA", "IOSFODNN7", "EXAMPLE"),
    "class-name": "sk-circle-fade-dot sk-folding-cube-animation",
    "function": "def test_multivariate_normal_inv_transform_is_stable(self):",
    "camel": "test_MultivariateNormalQMCInvTransformIsStableForLargeInput",
    "npm-variable": "npm_config_registry_for_internal_packages",
    "publishable": join("pk", "_live_", MIXED[:24]),
    "pod": "pod/web-7d4b9c6f5d-x2k8q 1/1 Running",
    "arn": "arn:aws:iam::123456789012:role/deploy-7x2k",
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_look_alike_of_a_token_stays(name: str) -> None:
    assert redact(UNTOUCHED[name]) == UNTOUCHED[name]
