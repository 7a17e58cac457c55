"""Turns played through the hooks, the transcript and the job that follows a session, as a client would have it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.bench.loop.world import Asked, Note, World
from engram_hooks.bench.tries.player import Player
from engram_hooks.client.sample_events import SampleSession
from engram_hooks.curate.jobs import finish_session
from engram_hooks.memory import Engram, now
from engram_hooks.store import records, sessions, shown, usage


@dataclass(frozen=True, slots=True)
class Played:
    """What one turn showed: the notes put beside its prompt, and whether the one it needs was in the context."""

    shown: tuple[Note, ...]
    need: Note
    is_served: bool


class Stage:
    """One memory and the sessions that run in it. `learns` is false where nothing is to come of the verdicts."""

    def __init__(self, memory: Engram, world: World, folder: Path, *, visible: float, learns: bool) -> None:
        self._memory, self._world, self._folder = memory, world, folder
        self._visible, self._learns = visible, learns
        self._rng = random.Random(world.deck.areas[0])  # noqa: S311 (data for a benchmark)
        project_id = memory.project_id or 0
        self._numbers = {
            note.id: records.insert(
                memory.db,
                {"kind": "fact", "project_id": project_id, "summary": note.text},
                now_ms=now(),
                actor="import",
            )
            for note in world.notes
        }
        self._notes = {self._numbers[note.id]: note for note in world.notes}
        self._number = 0
        self._session: SampleSession | None = None
        self._player: Player | None = None

    def play(self, asked: Asked) -> Played:
        """One turn: the prompt, what the agent makes of it, and the work behind it."""
        session, player = self._open(asked.session)
        if not self._learns:
            usage.forget_usage(self._memory.db)
        before = self._shown()
        player.fire(
            "UserPromptSubmit",
            prompt=asked.prompt,
            prompt_id=f"{session.session_id}-{len(session.lines)}",
            transcript_path=str(session.transcript),
        )
        session.say("user", asked.prompt)
        after = self._shown()
        need = self._numbers[asked.need.id]
        is_served = need in after
        uses = is_served and self._rng.random() < self._visible
        self._work(session, player, asked, uses=uses)
        player.fire("Stop", stop_hook_active=False, transcript_path=str(session.transcript))
        finish_session(self._memory.db, self._memory.data, session.session_id, settle=False)
        shown = tuple(self._notes[number] for number in after if number not in before)
        return Played(shown, asked.need, is_served)

    def _work(self, session: SampleSession, player: Player, asked: Asked, *, uses: bool) -> None:
        code = asked.need.code if uses else asked.code
        path = str(session.project / f"src/part_{len(session.lines)}.py")
        given: dict[str, object] = {"file_path": path, "old_string": "pass", "new_string": code}
        hunk = {"oldStart": 1, "newStart": 1, "lines": ["-pass", f"+{code}"]}
        use_id = f"{session.session_id}-use-{len(session.lines)}"
        session.call_tool(use_id, "Edit", given, result="The file has been updated.")
        player.fire(
            "PostToolUse",
            tool_name="Edit",
            tool_input=given,
            tool_use_id=use_id,
            tool_response={"filePath": path, "structuredPatch": [hunk]},
            transcript_path=str(session.transcript),
        )
        session.say("assistant", asked.said)

    def _open(self, number: int) -> tuple[SampleSession, Player]:
        if self._session is None or self._player is None or number != self._number:
            if self._session and self._player:
                transcript = str(self._session.transcript)
                self._player.fire("SessionEnd", reason="clear", transcript_path=transcript)
            self._number = number
            repo = Path(self._memory.cwd)
            name = f"loop-{number}-{self._learns}"
            self._session = SampleSession(name, repo, self._folder / f"{name}.jsonl", now())
            environ = {**self._memory.environ, "ENGRAM_PROJECT": self._memory.project_name}
            self._player = Player(repo, self._memory.data, environ, session=self._session.session_id)
        return self._session, self._player

    def _shown(self) -> dict[int, None]:
        assert self._session is not None
        found = sessions.find_session(self._memory.db, self._session.session_id)
        if found is None:
            return {}
        return dict.fromkeys(item["record_id"] for item in shown.list_shown(self._memory.db, found[0]))
