"""A file of rules: what is read from it, and what is wrong with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.curate.invariants import parse_rules

GOOD = """\
# the rules of the shop
[[invariant]]
id = "one-key"
text = "one idempotency key per order across all retries"
globs = ["backend/payments/**", "lib/{pay,charge}.py"]
symbol = "charge_*"
severity = "critical"
enforcement = "confirm"
since = 2024-05-09
why = "INC-2407"

[[invariant]]
text = "no network in tests"
glob = "tests/"
"""


def test_example_of_the_documentation_is_usable() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    rules, faults = parse_rules("f", page.split("```toml\n")[1].split("```")[0])
    assert faults == []
    assert [(rule["name"], rule["enforcement"]) for rule in rules] == [
        ("one-key", ""),
        ("no-hand-edits", "ask"),
    ]


def test_rules_are_read_with_their_lines() -> None:
    rules, faults = parse_rules("f", GOOD)
    assert faults == []
    assert [(rule["name"], rule["line"], rule["severity"]) for rule in rules] == [
        ("one-key", 2, "critical"),
        ("line-12", 12, "warning"),
    ]
    assert rules[0]["globs"] == ["backend/payments/**", "lib/charge.py", "lib/pay.py"]
    assert rules[0]["since"] == "2024-05-09"
    assert rules[1]["globs"] == ["tests/**"]


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ('text = ""', "needs a text"),
        ('text = "x"\nglobs = ["src/{a"]', "brace"),
        ('text = "x"\nseverity = "fatal"', "severity is one of"),
        ('text = "x"\nenforcement = "block"', "enforcement is one of"),
        ('text = "x"\nid = "a b"', "is no name"),
        ("text = 5", "text must be a text"),
        ('text = "x"\nglobs = 5', "globs must be"),
        ('text = "x"\nglobs = []', "needs a glob"),
        ('text = "x"\nsymbol = "a/b"', "is no pattern"),
        ('text = "x"\nseverty = "info"', "no 'severty'"),
    ],
)
def test_faulty_rule_is_named_with_its_line_and_others_count(lines: str, part: str) -> None:
    rules, faults = parse_rules("f.toml", f'[[invariant]]\ntext = "fine"\n\n[[invariant]]\n{lines}\n')
    assert rules[0]["text"] == "fine"
    assert any(str(fault).startswith("f.toml:4: ") and part in str(fault) for fault in faults), faults


def test_file_that_is_no_toml_is_named_with_the_line() -> None:
    rules, (fault,) = parse_rules("f", "[[invariant]]\ntext = \n")
    assert rules == []
    assert fault.line == 2


def test_second_rule_of_a_name_is_a_fault() -> None:
    rules, (fault,) = parse_rules("f", '[[invariant]]\nid="a"\ntext="x"\n[[invariant]]\nid="a"\ntext="y"\n')
    assert [rule["text"] for rule in rules] == ["x"]
    assert "another rule with the id a" in str(fault)
