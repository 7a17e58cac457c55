"""A small repository whose files change together in known ways."""

from __future__ import annotations

from tests.support.make_repo import Repo

RETRY = """\
import gateway


def charge(order):
    return gateway.send(order, {number})


def refund(order):
    return {other}
"""


def make_retry(number: int, other: int = 0) -> str:
    """The text of retry.py: what the first function holds, and what the second one does."""
    return RETRY.format(number=number, other=other)


def fill_shop(repo: Repo) -> None:
    """A shop: retry.py changes with gateway.py, which it imports, and with the parser, which it does not."""
    repo.commit(
        "feat: begin",
        {
            "pay/retry.py": make_retry(0),
            "pay/gateway.py": "def send(order, key): ...\n",
            "app/parser.ts": "export const parse = 0\n",
            "CHANGELOG.md": "begin\n",
            "poetry.lock": "0\n",
        },
    )
    for number in range(1, 6):
        repo.commit(
            f"feat: step {number}",
            {
                "pay/retry.py": make_retry(number),
                "app/parser.ts": f"export const parse = {number}\n",
                "CHANGELOG.md": f"{number}\n",
                "poetry.lock": f"{number}\n",
            },
        )
    for number in range(6, 8):
        repo.commit(
            f"feat: step {number}",
            {
                "pay/retry.py": make_retry(5, number),
                "pay/gateway.py": f"def send(order, key): ...\n# {number}\n",
            },
        )
