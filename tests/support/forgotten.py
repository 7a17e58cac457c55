"""A text that stands wherever engram keeps one, to be forgotten, and the search for what is left of it."""

from __future__ import annotations

import json
from pathlib import Path

from engram_hooks.curate import forget
from engram_hooks.memory import Engram, now
from engram_hooks.store import log, sessions, tool_events
from tests.support.make_repo import Repo

TEXT = "the quuxfrob wombat protocol guards the order queue"
UUID = "00000000-0000-4000-8000-000000000001"


def files_with(folder: str | Path, *words: str) -> list[str]:
    """The files below a folder that hold one of the words, in whatever case."""
    return sorted(
        path.name
        for path in Path(folder).rglob("*")
        if path.is_file() and any(word.encode() in path.read_bytes().lower() for word in words)
    )


def remember(repo: Repo, data: str) -> Engram:
    """A memory that holds the text in a record, its versions, the log, prompts, events, spool and hook log."""
    memory = Engram(cwd=repo.path)
    record = memory.add(TEXT, detail="zanzibar detail", tags=["gnulike"])
    memory.edit(record.short_id, {"summary": TEXT.upper()})
    memory.edit(record.short_id, {"summary": TEXT})
    session = sessions.add_session(
        memory.db,
        "s1",
        project_id=memory.project_id or 0,
        root="",
        branch="",
        transcript_path=str(repo / "talk.jsonl"),
        now_ms=now(),
    )
    log.append_rows(
        memory.db,
        session[0],
        [
            (UUID, "user", "", f"remember: {TEXT}!", now()),
            (UUID[:-1] + "2", "user", "", "unrelated basalt", now()),
        ],
    )
    sessions.add_prompt(memory.db, session[0], f"so {TEXT}", prompt_id="p", now_ms=now())
    event = {"tool": "Bash", "target": "", "command": "make", "outcome": "failed", "error": f"E: {TEXT}"}
    tool_events.record_event(memory.db, session[0], {**event, "use_id": "u", "agent": ""}, now_ms=now())
    spool = Path(data) / "spool"
    spool.mkdir()
    (spool / "1.part").write_text(json.dumps({"prompt": TEXT}))
    (Path(data) / "hook.log").write_text(f"1 stop fine\n2 stop {TEXT}\n3 stop fine\n")
    (repo / "talk.jsonl").write_text(json.dumps({"text": TEXT}) + "\n")
    return memory


def remove(memory: Engram, *, with_backups: bool = False) -> list[str]:
    """Forget the record for good; what still holds the text."""
    removal = forget.plan_removal(memory.db, memory.data, memory.find("1").id)
    left = forget.remove(memory.db, memory.data, removal, now_ms=now(), with_backups=with_backups)
    memory.close()
    return left
