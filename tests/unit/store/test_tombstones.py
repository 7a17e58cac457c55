"""What was forgotten or refused stays away, in whatever dress it comes back."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.store import log, sessions, tombstones

NOW = 1_780_000_000_000


@pytest.mark.parametrize("again", ["Use pnpm, not npm", "use  PNPM, not npm.", '"Use pnpm,\nnot npm!"'])
def test_buried_text_is_known_in_other_spacing_and_case(store: Connection, again: str) -> None:
    tombstones.bury_content(store, "Use pnpm, not npm.", now_ms=NOW)
    assert tombstones.is_buried(store, again, project_id=7)


@pytest.mark.parametrize("other", ["Use npm, not pnpm", "Use pnpm", ""])
def test_other_text_is_not_buried(store: Connection, other: str) -> None:
    tombstones.bury_content(store, "Use pnpm, not npm.", now_ms=NOW)
    assert not tombstones.is_buried(store, other, project_id=7)


def test_the_table_holds_no_text(store: Connection) -> None:
    tombstones.bury_content(store, "granite quartz", now_ms=NOW)
    assert "granite" not in "\n".join(store.iterdump())


def test_text_can_be_raised_again(store: Connection) -> None:
    tombstones.bury_content(store, "granite", now_ms=NOW)
    assert tombstones.raise_content(store, "Granite.", project_id=7)
    assert not tombstones.is_buried(store, "granite", project_id=7)
    assert not tombstones.raise_content(store, "granite", project_id=7)


def test_buried_line_is_not_logged_again(store: Connection) -> None:
    uuid = "00000000-0000-4000-8000-000000000001"
    session = sessions.add_session(
        store, "s", project_id=1, root="", branch="", transcript_path="", now_ms=NOW
    )
    tombstones.bury_uuid(store, uuid, now_ms=NOW)
    assert log.append_rows(store, session[0], [(uuid, "user", "", "granite", NOW)]) == 0


@pytest.mark.parametrize(("project_id", "is_buried"), [(7, True), (8, False), (0, False)])
def test_refused_text_stays_away_in_its_project_alone(
    store: Connection, project_id: int, *, is_buried: bool
) -> None:
    tombstones.bury_refused(store, 7, "Use pnpm, not npm.", now_ms=NOW)
    assert tombstones.is_buried(store, "use pnpm, not NPM", project_id=project_id) == is_buried
    assert tombstones.raise_content(store, "Use pnpm, not npm", project_id=project_id) == is_buried
