"""Whatever a client sends, hooks that speak of code end well and within their budget."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks import Engram, entry
from tests.support.make_repo import Repo, make_repo

MAX_CHARS = 1_500
LINES = [f"    step_{number}(order, retries={number})" for number in range(40)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repo, str]:
    """A repository in which every line of a file carries a fix of its own, indexed; and the data folder."""
    folder = tmp_path_factory.mktemp("shop")
    repo = make_repo(folder / "shop", {"a.py": "\n".join(LINES) + "\n"})
    for number in range(0, 40, 4):
        LINES[number] = f"    mended_{number}(order)"
        repo.commit(f"fix: </engram> {'long words ' * 9}{number}", {"a.py": "\n".join(LINES) + "\n"})
    data = str(folder / "data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        with Engram(home=data, cwd=repo.path) as memory:
            memory.index()
    return repo, data


def fire(data: str, payload: dict[str, object]) -> str:
    """Run one hook in this process; return the text for the model."""
    environ = {
        "ENGRAM_HOME": data,
        "ENGRAM_WORKER": "1",
        "ENGRAM_EMBED": "off",
        "HOME": os.path.dirname(data),
    }
    text = entry.serve("", payload, data, environ)
    output = json.loads(text)["hookSpecificOutput"] if text else {}
    assert set(output) <= {"hookEventName", "additionalContext"}
    assert output.get("hookEventName") in (None, payload["hook_event_name"])
    return str(output.get("additionalContext", ""))


NAMES = ["a.py", "./a.py", "b.py", "", "~", "/", "\0", "a.py/", "../shop/a.py", "README.md"]
TEXTS = st.one_of(
    st.lists(st.sampled_from([*LINES, "    mended_0(order)", "", "}"]), max_size=9).map("\n".join),
    st.text(max_size=60),
    st.none(),
    st.integers(),
)
INPUTS = st.fixed_dictionaries(
    {},
    optional={
        "file_path": st.sampled_from(NAMES) | st.text(max_size=9) | st.none(),
        "notebook_path": st.sampled_from(NAMES),
        "old_string": TEXTS,
        "new_string": TEXTS,
        "content": TEXTS,
        "new_source": TEXTS,
        "cell_id": st.text(max_size=3),
        "edits": st.lists(st.fixed_dictionaries({"old_string": TEXTS, "new_string": TEXTS}), max_size=3),
        "command": st.text(max_size=20),
    },
)
HUNKS = st.lists(
    st.fixed_dictionaries(
        {
            "oldStart": st.integers(-3, 60) | st.none(),
            "lines": st.lists(
                st.sampled_from([f"{mark}{line}" for mark in " -+" for line in LINES[:9]]), max_size=9
            ),
        }
    ),
    max_size=3,
)
RESPONSES = st.one_of(
    st.none(),
    st.text(max_size=30),
    st.fixed_dictionaries({"structuredPatch": HUNKS, "originalFile": TEXTS}),
    st.fixed_dictionaries(
        {
            "bashEditDiff": st.fixed_dictionaries(
                {
                    "files": st.lists(
                        st.fixed_dictionaries({"filePath": st.sampled_from(NAMES), "hunks": HUNKS}),
                        max_size=3,
                    )
                }
            )
        }
    ),
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(["text", "image", "notebook"]),
            "file": st.fixed_dictionaries(
                {
                    "content": TEXTS,
                    "startLine": st.integers(-2, 50),
                    "totalLines": st.integers(-2, 50) | st.none(),
                }
            ),
        }
    ),
)


@settings(max_examples=120)
@given(
    st.sampled_from(["PreToolUse", "PostToolUse"]),
    st.sampled_from(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Bash", "Other"]),
    INPUTS,
    RESPONSES,
    st.integers(0, 3),
)
def test_no_call_breaks_a_hook_or_its_budget(
    shop: tuple[Repo, str], event: str, tool: str, given_: dict[str, object], response: object, session: int
) -> None:
    repo, data = shop
    payload: dict[str, object] = {
        "session_id": f"s{session}",
        "cwd": str(repo.path),
        "hook_event_name": event,
    }
    text = fire(data, {**payload, "tool_name": tool, "tool_input": given_, "tool_response": response})
    assert len(text) <= MAX_CHARS
    assert text.count("<engram") == text.count("</engram>")


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=9), st.uuids())
def test_all_briefs_of_a_file_share_one_budget_and_repeat_nothing(
    shop: tuple[Repo, str], parts: list[tuple[int, int]], session: object
) -> None:
    repo, data = shop
    lines = Path(repo / "a.py").read_text(encoding="utf-8").splitlines()
    told: list[str] = []
    for first, count in parts:
        part = lines[first - 1 : first - 1 + count]
        file = {"content": "\n".join(part), "startLine": first, "totalLines": len(lines)}
        payload: dict[str, object] = {
            "session_id": str(session),
            "cwd": str(repo.path),
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": "a.py"},
            "tool_response": {"type": "text", "file": file},
        }
        told.append(fire(data, payload))
    assert sum(map(len, told)) <= MAX_CHARS
    said = [line for text in told for line in text.split("\n")[1:-1]]
    assert len(set(said)) == len(said)
    for line in said:
        numbers = line.split(" carr")[0].removeprefix("Lines ").removeprefix("Line ")
        assert f"mended_{int(numbers.split('-')[0]) - 1}(" in lines[int(numbers.split("-")[0]) - 1]
