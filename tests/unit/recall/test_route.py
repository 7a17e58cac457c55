"""Which prompts are trivial, and what the others ask for."""

from __future__ import annotations

import pytest

from engram_hooks.recall.route import MAX_IDENTIFIERS, MAX_TERMS, extract_question, is_trivial, plan

TRACE = """Traceback (most recent call last):
  File "/srv/app/main.py", line 12, in <module>
    run()
  File "/srv/app/pay.py", line 40, in run
    raise GatewayError("ERR_PAYMENT_DUPLICATE")
pay.GatewayError: ERR_PAYMENT_DUPLICATE
"""
LOG = "\n".join(f"2026-05-03 12:00:{i:02d} INFO worker-{i} [pool] job={i} took={i}ms" for i in range(20))
CODE = "```python\ndef retry(n):\n    return n + 1\n```"


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "   \n",
        "...",
        "👍",
        "?!",
        "continue",
        "Continue.",
        "go on",
        "go ahead!",
        "yes",
        "yes please",
        "no, the other one",
        "run the tests",
        "run the tests again please",
        "thanks!",
        "ok looks good, commit it",
        "commit this",
        "commit and push",
        "LGTM",
        "option 2 please",
        "undo that",
        "try again",
        "/compact",
        "/clear",
        "/review the parser",
        "/plugin:name x",
        "!git status",
        "weiter",
        "ja, mach weiter",
        "danke",
        "oui, continue",
        "merci !",
        "sí, sigue",
        "gracias",
        "sim, continua",
        "да, продолжай",
        "спасибо",
        "继续",
        "好的，继续",
        "谢谢！",
        "はい",
        "続けてください",
        "계속",
        "네, 계속",
        CODE,
        TRACE,
        LOG,
        "fix this\n" + TRACE,
    ],
)
def test_prompt_needs_nothing(prompt: str) -> None:
    assert is_trivial(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "why did we choose Postgres?",
        "run the migration on staging",
        "deploy it",
        "continue with the retry work",
        "test the gateway",
        "/etc/nginx/nginx.conf is broken",
        "yes, but use the ledger table",
        "weiter mit dem Parser",
        "Warum nehmen wir Postgres?",
        "为什么用Postgres？",
        "继续重构解析器",
        "なぜ Redis を使うのですか",
        "why does the gateway refuse this?\n" + TRACE,
        LOG + "\nwhich worker pool is this?",
        "rewrite this with our retry rules\n" + CODE,
        "first line about the parser\nsecond line about the cache\n- a point\n- another point\n- third point\nlast",
    ],
)
def test_prompt_asks_for_something(prompt: str) -> None:
    assert not is_trivial(prompt)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        pytest.param("plain question", "plain question", id="plain"),
        pytest.param("why does it fail?\n" + TRACE, "why does it fail?", id="in-front-of-a-trace"),
        pytest.param(LOG + "\nwhat is worker-3 doing?", "what is worker-3 doing?", id="behind-a-log"),
        pytest.param("before\n" + CODE + "\nafter", "before\nafter", id="around-a-fence"),
        pytest.param("look\n```\nnever closed", "look", id="fence-without-an-end"),
        pytest.param(LOG, "", id="only-a-log"),
        pytest.param("+added line\n-removed line\n@@ -1 +1 @@\n+a\n-b", "", id="only-a-diff"),
    ],
)
def test_question_of_a_paste(prompt: str, expected: str) -> None:
    assert extract_question(prompt) == expected


def test_prose_of_many_lines_is_kept_whole() -> None:
    prose = "\n".join(f"The parser reads line {i} and hands it to the cache." for i in range(12))
    assert extract_question(prose) == prose


@pytest.mark.parametrize(
    ("prompt", "terms", "names"),
    [
        pytest.param(
            "add a celery task for the labels", ["celery", "task", "labels"], [], id="generic-words-go"
        ),
        pytest.param(
            "why does backend/payments/retry.py raise ERR_PAYMENT_DUPLICATE?",
            ["backend/payments/retry.py", "err_payment_duplicate", "raise"],
            ["backend/payments/retry.py", "err_payment_duplicate"],
            id="paths-and-codes",
        ),
        pytest.param(
            "push it to GitHub at 15:30", ["github"], [], id="product-names-and-times-are-no-identifiers"
        ),
        pytest.param("fix the bug", [], [], id="nothing-left"),
    ],
)
def test_plan(prompt: str, terms: list[str], names: list[str]) -> None:
    found, identifiers = plan(prompt)
    assert set(terms) <= set(found)
    assert identifiers == names


def test_plan_takes_the_error_code_out_of_a_paste_beside_a_question() -> None:
    _, names = plan("why does the gateway refuse this?\n" + TRACE)
    assert "err_payment_duplicate" in names
    assert not any("main.py" in name for name in names)


def test_plan_is_bounded() -> None:
    prompt = "what about " + " ".join(f"word{chr(97 + i % 26)}x{i} mod_{i}.py" for i in range(500))
    terms, names = plan(prompt)
    assert len(terms) <= MAX_TERMS
    assert len(names) <= MAX_IDENTIFIERS
