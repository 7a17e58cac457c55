"""Whatever happens to files: looking again changes nothing, and what was looked at step by step is as if at once."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_hooks import Engram
from engram_hooks.curate.ground.staleness import refresh_staleness
from engram_hooks.store import meta
from tests.support.make_repo import Repo, make_repo

NAMES = "a.py", "b.py", "c.py"
NOTES = "a.py holds the first of them", "two() in b.py gives the second", "The third is at c.py:1-2"
TEXTS = {
    "a.py": "def one():\n    return 1\n",
    "b.py": "def two():\n    return 2\n",
    "c.py": "def three():\n    return 3\n",
}
STEPS = st.sampled_from(
    [(kind, name) for kind in ("drop", "restore", "move", "change", "look") for name in NAMES]
)


def take(repo: Repo, kind: str, name: str) -> None:
    """Do one step to a file, where that can be done."""
    file, moved = repo / name, repo / "moved" / name
    if kind == "drop" and file.exists():
        repo.commit(f"Drop {name}", {name: None})
    elif kind == "restore":
        repo.commit(f"Restore {name}", {name: TEXTS[name]})
    elif kind == "move" and file.exists() and not moved.exists():
        moved.parent.mkdir(exist_ok=True)
        repo.git("mv", name, f"moved/{name}")
        repo.commit(f"Move {name}")
    elif kind == "change" and file.exists():
        repo.commit(f"Change {name}", {name: TEXTS[name].replace("return", "yield")})


def look(memory: Engram) -> list[str]:
    return refresh_staleness(
        *(memory.db, memory.data, memory.environ),
        project_id=memory.project_id or 0,
        now_ms=1_780_000_000_000,
        until=time.monotonic() + 60,
    )


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEPS, min_size=1, max_size=5))
def test_looking_again_changes_nothing(home: Path, steps: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = make_repo(Path(folder) / "shop", dict(TEXTS))
        with Engram(home=Path(folder) / "data", cwd=repo) as memory:
            made = [memory.add(text, kind="incident") for text in NOTES]
            for kind, name in steps:
                take(repo, kind, name) if kind != "look" else look(memory)
            look(memory)
            found = {record.id: memory.find(record.short_id) for record in made}
            meta.set_fact(memory.db, f"staleness:{memory.project_id}", "")
            assert look(memory) == []
            assert {record.id: memory.find(record.short_id) for record in made} == found
            gone = [
                name for name in NAMES if not (repo / name).exists() and not (repo / "moved" / name).exists()
            ]
            for record, name in zip(made, NAMES, strict=True):
                if name in gone:
                    assert found[record.id].status == "stale"
                if (repo / name).exists() and (repo / name).read_text() == TEXTS[name]:
                    assert found[record.id].status == "active"
