"""Names as C++ writes them."""

from __future__ import annotations

import re

from engram_hooks.history.syntax.masking import blank

_ARGUMENTS = re.compile(r"<[^<>]*>")
_TEST = re.compile(r"\(\s*(\w+)\s*,\s*(\w+)\s*\)")
_TEST_MACROS = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "FRIEND_TEST"}
_ANGLE = re.compile(r"operator\s*(?:<=>|<<=?|>>=?|<=|>=|->\*?|<(?!\w)|>)|->|<=|>=|<<(?!\w)|[<>]")
_OPERATOR = re.compile(r"operator\b\s*(.*)", re.S)


def split_qualified(written: str) -> tuple[str, str]:
    """Return owner and name: `a::B<T>::f` is B and f, `X::operator ()` is X and operator()."""
    written = written.strip()
    operator = _OPERATOR.search(written)
    sign = ""
    if operator is not None:
        word = operator[1].strip()
        sign = "operator" + (" " + " ".join(word.split()) if word[:1].isalpha() else "".join(word.split()))
        written = written[: operator.start()] + "operator"
    for _ in range(8):
        written, changes = _ARGUMENTS.subn("", written)
        if not changes:
            break
    parts = ["".join(part.split()) for part in written.split("::")]
    owner = parts[-2] if len(parts) > 1 else ""
    return owner, sign or parts[-1]


def read_test_name(macro: str, head: str) -> tuple[str, str] | None:
    """Return suite and name of a test that a macro declares, None for any other word."""
    found = _TEST.search(head) if macro in _TEST_MACROS else None
    return (found[1], found[2]) if found else None


def blank_arguments(head: str) -> str:
    """Return a head of the same length with blanks for `<...>`, but not for the signs of operators.

    Linear: an opening sign counts where a closing one follows before the head ends.
    """
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for found in _ANGLE.finditer(head):
        sign, at = found[0], found.start()
        if sign == "<":
            opened.append(at)
        elif sign == ">" and opened:
            begin = opened.pop()
            if not opened:
                spans.append((begin, at + 1))
    for begin, end in reversed(spans):
        head = head[:begin] + blank(head[begin:end]) + head[end:]
    return head
