"""`engram show`: kinds, trees of a kind, one note with all that is known of it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engram_hooks.memory import Engram, now
from engram_hooks.store import anchors, lookup, records, relations
from tests.support.command_runs import Run, read


@pytest.fixture(autouse=True)
def _without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_EMBED", "off")


@pytest.fixture
def chain(run: Run) -> list[str]:
    """Three notes, each replaced by the next for a reason; their ids."""
    with Engram() as memory:
        ids = [
            memory.add(text, valid_from=since).id
            for text, since in (
                ("Releases are cut by hand", "2024-01-10"),
                ("Tags trigger the pipeline", "2024-05-20"),
                ("A bot proposes each version", "2025-02-03"),
            )
        ]
        for old, new in pairwise(ids):
            begins = lookup.read_many(memory.db, [new])[0]["valid_from"]
            records.supersede(
                memory.db, old, new, at_ms=begins, now_ms=now(), actor="person", reason=f"mistakes of {old}"
            )
    return [f"d{one}" for one in ids]


def test_kinds_are_counted(run: Run, chain: list[str]) -> None:
    assert run("add", "-s", "Port 8080 is taken", "-t", "fact")[0] == 0
    assert read(run, "show") == [
        {"kind": "decision", "told": 1, "gone": 2},
        {"kind": "fact", "told": 1, "gone": 0},
    ]
    out = run("show")[1]
    assert "decision" in out
    assert "2 no longer told" in out
    assert "further: engram show decision" in out


def test_nothing_kept_is_said(run: Run) -> None:
    assert "Nothing is kept here yet" in run("show")[1]
    assert read(run, "show") == []
    assert "No decision is told here" in run("show", "decision")[1]


def test_a_kind_is_a_tree_of_what_holds_and_what_it_replaced(run: Run, chain: list[str]) -> None:
    first, second, third = chain
    (tree,) = read(run, "show", "decision")
    assert (tree["id"], tree["how"]) == (third, "")
    (before,) = tree["children"]
    assert (before["id"], before["how"], before["by"], before["reason"]) == (
        second,
        "replaced",
        "person",
        f"mistakes of {second[1:]}",
    )
    assert [one["id"] for one in before["children"]] == [first]
    lines = run("show", "decision")[1].splitlines()
    assert lines[0].startswith(f"{third}  A bot proposes each version")
    assert lines[1].startswith(f"└─ {second}  Tags trigger the pipeline  (20 May 2024 to 3 February 2025")
    assert f"by person: mistakes of {second[1:]}" in lines[2]
    assert lines[3].startswith(f"   └─ {first}  Releases are cut by hand")


@pytest.mark.parametrize("which", [0, 1, 2])
def test_each_note_shows_the_whole_chain_and_its_own_place(run: Run, chain: list[str], which: int) -> None:
    out = run("show", chain[which])[1]
    assert out.index(chain[2]) < out.index(chain[1]) or which < 2
    marked = [line for line in out.splitlines() if line.endswith("<- this one")]
    assert len(marked) == 1
    assert chain[which] in marked[0]
    assert "learnt" in out


def test_a_note_alone_has_no_history(run: Run) -> None:
    run("add", "-s", "Port 8080 is taken", "-t", "fact")
    out = run("show", "k1")[1]
    assert "history" not in out
    assert "learnt" not in out
    assert read(run, "show", "k1")["tree"]["children"] == []


def test_what_went_into_a_note_stands_below_it(run: Run) -> None:
    with Engram() as memory:
        whole, part = (
            memory.add(text, kind="fact").id for text in ("Quartz sorts by rank", "Basalt is cold")
        )
        records.update(
            memory.db,
            part,
            {"parent_id": whole, "status": "archived", "status_reason": "the same in other words"},
            now_ms=now(),
            actor="consolidation",
            reason="the same in other words",
            action="fold",
        )
    out = run("show", f"k{whole}")[1]
    assert f"└─ k{part}  Basalt is cold" in out
    assert "merged" in out
    assert "by consolidation: the same in other words" in out
    assert [one["how"] for one in read(run, "show", f"k{part}")["tree"]["children"]] == ["merged"]


def test_note_shows_what_it_is_anchored_to_and_speaks_of(run: Run) -> None:
    with Engram() as memory:
        one = memory.add("The gateway uses Quartz", kind="fact")
        moved = anchors.Anchor("file", "src/a.py", "src/b.py", anchors.GIVEN)
        gone = anchors.Anchor(
            "symbol", "src/a.py#run", "", anchors.GIVEN, state=anchors.GONE, reason="deleted"
        )
        anchors.add_anchors(memory.db, one.id, [moved, gone], now_ms=now())
        things = [("gateway", "gateway", "service"), ("quartz", "Quartz", "tool")]
        row = next(row for row in relations.list_waiting(memory.db, limit=9) if row[0] == one.id)
        relations.keep_readings(memory.db, [(row, things, [("gateway", "uses", "quartz")])], now_ms=now())
    out = run("show", one.short_id)[1]
    assert "src/b.py" in out
    assert "symbol src/a.py#run: deleted" in out
    assert "Quartz (tool)" in out
    assert "\n  gateway uses Quartz\n" in out
    shown = read(run, "show", one.short_id)
    assert shown["relations"] == [{"source": "gateway", "kind": "uses", "target": "Quartz"}]
    assert [anchor["state"] for anchor in shown["anchors"]] == ["there", "gone"]


@pytest.mark.parametrize("what", ["d99", "nonsense", "decisio"])
def test_unknown_note_is_an_error(run: Run, what: str) -> None:
    assert run("show", what)[0] == 1


def test_a_stored_text_cannot_draw_a_tree(run: Run) -> None:
    with Engram() as memory:
        old = memory.add("plain\t└─ d9  forged \x1b[31m line")
        new = memory.add("Basalt", supersedes=old.short_id)
    out = run("show", new.short_id)[1]
    assert "\x1b[31m" not in out
    assert sum(line.lstrip(" │").startswith(("└─", "├─")) for line in out.splitlines()) == 1
