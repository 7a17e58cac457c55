"""What failing checks print on one machine and on another: templates under tests/data/failures, rendered.

A case is headed by `@@@ name`, then lines `@ text -> other text`, each of which makes a different fault of it, and
lines `= test or file ¦ error ¦ message ¦ frame`, the faults that it is read as.
What changes from run to run stands in guillemets: a folder («root», «home», «tmp»), a number («s», «ms», «n», «pid»,
«port»), an address, a hash, or a line («12»). Blocks between `%{`, `%|` and `%}` come in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "failures"


@dataclass(frozen=True, slots=True)
class FailingCheck:
    """A fault as a template, the replacements that make others of it, and what is to be read."""

    name: str
    template: str
    changes: tuple[tuple[str, str], ...]
    faults: tuple[tuple[str, ...], ...]

    def change(self, number: int) -> str:
        """The template of another fault; raises AssertionError where the text does not hold what is replaced."""
        old, new = self.changes[number]
        assert old in self.template, (self.name, old)
        return self.template.replace(old, new)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where and when a check ran."""

    root: str
    values: Mapping[str, str]
    shift: int
    is_reversed: bool


def _values(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split())


HERE = Machine(
    "/home/ana/src/shop",
    _values(
        "home=/home/ana tmp=/tmp user=ana s=0.12 ms=4 n=3 w=1 pid=4711 port=49152 0x=0x7f2a9c1d3e80 0x2=0xc000018120"
        " code=5e9f23b4 hex6=Yb3xQ1 hex2=5 uuid=0b1d6e5c-8f0a-4d7e-9b5c-2f6a1c3d4e5f sha=9f2c4e1a7b3d5f60"
        " date=2024-05-09 time=12:00:01"
    ),
    0,
    is_reversed=False,
)
THERE = Machine(
    "/srv/ben/code/shop",
    _values(
        "home=/srv/ben tmp=/var/folders/zz/k3_x91/T user=ben s=11.48 ms=1832 n=240 w=7 pid=903177 port=51877"
        " 0x=0x104e2f7d0 0x2=0x14000122e00 code=1b28cdf hex6=a0Zz9k hex2=1f uuid=f47ac10b-58cc-4372-a567-0e02b2c3d479"
        " sha=0c7e5a9d1b2f4e88 date=2026-11-30 time=23:59:40"
    ),
    7,
    is_reversed=True,
)
ELSEWHERE = Machine(
    "/builds/team/checkout",
    _values(
        "home=/root tmp=/tmp/job-81 user=root s=2.00 ms=31 n=12 w=0 pid=12 port=60001 0x=0x5581a3b0c2d0"
        " 0x2=0xffff8a3c code=4d7e1886 hex6=QqW31d hex2=b7 uuid=3fa85f64-5717-4562-b3fc-2c963f66afa6"
        " sha=e3b0c44298fc1c14 date=2025-01-02 time=04:05:06"
    ),
    104,
    is_reversed=False,
)

_HOLE = re.compile("«([^»]+)»")
_BEFORE = """\
> shop@1.4.2 check
using cache of {date} {time} (pid {pid})
listening on 127.0.0.1:{port}
reading settings from {home}/.config/shop.toml
"""
_AFTER = """
step took {s}s, peak memory {n} MB
finished {date} {time}
"""


def read_cases() -> Iterator[FailingCheck]:
    """The cases of all files, in order of their names."""
    for path in sorted(FOLDER.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("@@@ ")[1:]:
            name, _, rest = block.partition("\n")
            changes: list[tuple[str, str]] = []
            faults: list[tuple[str, ...]] = []
            while rest.startswith(("@ ", "= ")):
                line, _, rest = rest.partition("\n")
                if line.startswith("= "):
                    faults.append(tuple(part.strip() for part in line[2:].split("¦")))
                else:
                    old, _, new = line[2:].replace("\\n", "\n").partition(" -> ")
                    changes.append((old, new))
            yield FailingCheck(f"{path.stem}/{name}", rest, tuple(changes), tuple(faults))


def render(template: str, machine: Machine) -> str:
    """The template as this machine prints it."""

    def fill(hole: re.Match[str]) -> str:
        name = hole.group(1)
        if name == "root":
            return machine.root
        return str(int(name) + machine.shift) if name.isdigit() else machine.values[name]

    return _HOLE.sub(fill, _order(template, machine))


def render_in_a_terminal(template: str, machine: Machine) -> str:
    """The same in colours, with the client's first line and a log around it."""
    lines = [_paint(number, line) for number, line in enumerate(render(template, machine).split("\n"))]
    before, after = (text.format(**machine.values) for text in (_BEFORE, _AFTER))
    return f"Exit code 1\n{before}" + "\n".join(lines) + after


def render_with_returns(template: str, machine: Machine) -> str:
    """The same with the line ends of Windows."""
    return render(template, machine).replace("\n", "\r\n")


def _paint(number: int, line: str) -> str:
    if not line.strip():
        return line
    first, space, rest = line.partition(" ")
    if number % 3 == 0:
        return f"\x1b[1m\x1b[31m{line}\x1b[0m"
    return f"\x1b[38;5;9m{first}\x1b[39;49m{space}{rest}\x1b[K" if first else f"\x1b[2m{line}\x1b[22m"


def _order(template: str, machine: Machine) -> str:
    """The template with the blocks that come in any order in the one of this machine."""
    out: list[str] = []
    blocks: list[list[str]] | None = None
    for line in template.split("\n"):
        if line == "%{":
            blocks = [[]]
        elif line == "%|" and blocks is not None:
            blocks.append([])
        elif line == "%}" and blocks is not None:
            out += [one for block in (blocks[::-1] if machine.is_reversed else blocks) for one in block]
            blocks = None
        else:
            (out if blocks is None else blocks[-1]).append(line)
    return "\n".join(out)
