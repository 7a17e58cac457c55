"""What an agent tried and gave up is told where it matters: at the start, on reading, at an edit, on the failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram_hooks import Engram, entry
from engram_hooks.curate.attempts import learn
from engram_hooks.jsontext import loads
from engram_hooks.memory import now
from tests.support.make_repo import Repo, make_repo

OLD = "    return min(base * 2 ** attempt, 30)"
BAD = "    return base * fib_growth(attempt)"
OTHER = "    return attempt > limit"
SOURCE = f"def backoff(base, attempt):\n{OLD}\n\n\ndef is_over(attempt, limit):\n{OTHER}\n"
FAILED = (
    "Exit code 1\n=================================== FAILURES ===================================\n"
    "____ test_growth ____\n\n>       assert backoff(1, 3) == 8\nE       AssertionError: fib grew too slowly\n\n"
    "tests/test_backoff.py:{line}: AssertionError\n"
    "=========================== short test summary info ============================\n"
    "FAILED tests/test_backoff.py::test_growth - AssertionError: fib grew too slowly\n1 failed in {time}s"
)


class Agent:
    """An agent in one session: what it does is done, and told to the hooks."""

    def __init__(self, repo: Path, data: str, session: str, **environ: str) -> None:
        self.repo, self.data, self.session = repo, data, session
        # no worker beside it: `stop` does its work, and a store that one holds would silence a hook
        self.environ = {"ENGRAM_HOME": data, "HOME": os.environ["HOME"], "ENGRAM_WORKER": "1", **environ}
        self.count = 0

    def fire(self, event: str, **more: object) -> dict[str, str]:
        """Run one hook; return what its document says."""
        payload = {"session_id": self.session, "transcript_path": "", "cwd": str(self.repo)}
        text = entry.serve("", {**payload, "hook_event_name": event, **more}, self.data, self.environ)
        document = loads(text) if text else {}
        assert isinstance(document, dict)
        output = document.get("hookSpecificOutput", {})
        assert isinstance(output, dict)
        return output

    def start(self) -> str:
        return self.fire("SessionStart", source="startup").get("additionalContext", "")

    def read(self, name: str = "backoff.py") -> str:
        text = (self.repo / name).read_text()
        response = {"type": "text", "file": {"content": text, "startLine": 1, "totalLines": text.count("\n")}}
        given = {"file_path": str(self.repo / name)}
        return self.fire("PostToolUse", **self.tool("Read", given), tool_response=response).get(
            "additionalContext", ""
        )

    def tool(self, name: str, given: dict[str, str]) -> dict[str, object]:
        self.count += 1
        return {"tool_name": name, "tool_input": given, "tool_use_id": f"{self.session}-{self.count}"}

    def plan(self, old: str, new: str, name: str = "backoff.py") -> dict[str, str]:
        given = {"file_path": str(self.repo / name), "old_string": old, "new_string": new}
        return self.fire("PreToolUse", **self.tool("Edit", given))

    def edit(self, old: str, new: str, name: str = "backoff.py") -> None:
        file = self.repo / name
        file.write_text(file.read_text().replace(old, new, 1))
        given = {"file_path": str(file), "old_string": old, "new_string": new}
        lines = [*(f"-{line}" for line in old.split("\n")), *(f"+{line}" for line in new.split("\n"))]
        response = {
            "filePath": str(file),
            "structuredPatch": [{"oldStart": 2, "newStart": 2, "lines": lines}],
        }
        self.fire("PostToolUse", **self.tool("Edit", given), tool_response=response)

    def fail(self, *, line: int = 9, time: str = "0.1") -> str:
        error = FAILED.format(line=line, time=time)
        call = self.tool("Bash", {"command": "cd . && python -m pytest -q"})
        return self.fire("PostToolUseFailure", **call, error=error).get("additionalContext", "")

    def passes(self) -> None:
        call = self.tool("Bash", {"command": "python -m pytest -q"})
        self.fire("PostToolUse", **call, tool_response={"stdout": "8 passed in 0.2s", "stderr": ""})

    def undo(self) -> None:
        """`git checkout .`, which no event describes."""
        (self.repo / "backoff.py").write_text(SOURCE)

    def stop(self) -> None:
        """The end of a turn, with what the worker then does."""
        self.fire("Stop")
        with Engram(cwd=self.repo) as memory:
            assert memory.project_id is not None
            learn(memory.db, memory.project_id, now_ms=now())


@pytest.fixture
def shop(tmp_path: Path, home: Path, data: str) -> Repo:
    """A repository with a function to try something on."""
    return make_repo(tmp_path / "shop", {"backoff.py": SOURCE, "other.py": SOURCE})


@pytest.fixture
def given_up(shop: Repo, data: str) -> Repo:
    """The same after a session that tried something, saw it fail and took it back."""
    first = Agent(shop.path, data, "first")
    first.start()
    first.edit(OLD, BAD)
    assert first.fail() == ""
    first.undo()
    first.stop()
    return shop


def test_next_session_is_told_at_each_moment_and_held_up_once(given_up: Repo, data: str) -> None:
    agent = Agent(given_up.path, data, "second")
    assert "fib_growth" in agent.start()
    brief = agent.read()
    assert "fib_growth" in brief
    assert "fib grew too slowly" in brief
    assert agent.read() == ""
    plan = agent.plan(OLD, BAD)
    assert plan["permissionDecision"] == "deny"
    assert "fib_growth" in plan["permissionDecisionReason"]
    assert "permissionDecision" not in agent.plan(OLD, BAD)


def test_same_failure_is_known_with_other_lines_and_times(given_up: Repo, data: str) -> None:
    agent = Agent(given_up.path, data, "second")
    assert "not cured" in agent.fail(line=31, time="7.5")
    assert agent.fail() == ""


def test_like_change_is_advised_and_other_changes_are_left_alone(given_up: Repo, data: str) -> None:
    agent = Agent(given_up.path, data, "second")
    like = agent.plan(OLD, "    return base * fib_growth(attempt + 1)")
    assert "fib_growth" in like["additionalContext"]
    assert "permissionDecision" not in like
    assert agent.plan(OTHER, "    return attempt >= limit") == {}
    assert agent.plan(OLD, BAD, "other.py") == {}
    assert agent.read("other.py") == ""


def test_prompt_that_wants_the_same_again_is_told_once(given_up: Repo, data: str) -> None:
    agent = Agent(given_up.path, data, "second")
    wish = "make backoff in backoff.py grow like the fib sequence"
    assert "fib_growth" in agent.fire("UserPromptSubmit", prompt=wish)["additionalContext"]
    assert agent.fire("UserPromptSubmit", prompt=wish) == {}
    assert agent.fire("UserPromptSubmit", prompt="translate the README into Dutch please") == {}


def test_later_failure_is_not_blamed_on_what_is_gone(given_up: Repo, data: str) -> None:
    second = Agent(given_up.path, data, "second")
    second.edit(OTHER, "    return attempt == limit", "other.py")
    second.fail(line=40)
    (given_up.path / "other.py").write_text(SOURCE)
    second.stop()
    brief = Agent(given_up.path, data, "third").read("other.py")
    assert "attempt == limit" in brief
    assert "fib_growth" not in brief
    assert Agent(given_up.path, data, "fourth").read().count("[t") == 1


@pytest.mark.parametrize(
    ("prompt", "is_told"),
    [
        pytest.param("shouldn't backoff in backoff.py use fib_growth?", True, id="file and line"),
        pytest.param(
            "what about fib_growth, for the waiting times of each attempt", True, id="name and line"
        ),
        pytest.param("please write a page on backoff.py for new people", False, id="file alone"),
        pytest.param("how is fib_growth tested over there, please", False, id="name alone"),
        pytest.param("each attempt to translate the page takes a day", False, id="word alone"),
    ],
)
def test_prompt_has_to_name_the_place_and_the_approach(
    given_up: Repo, data: str, prompt: str, *, is_told: bool
) -> None:
    text = Agent(given_up.path, data, "second").fire("UserPromptSubmit", prompt=prompt)
    assert ("fib_growth" in text.get("additionalContext", "")) is is_told


def test_subagent_is_told(given_up: Repo, data: str) -> None:
    agent = Agent(given_up.path, data, "second")
    assert "fib_growth" in agent.fire("SubagentStart", agent_type="general-purpose")["additionalContext"]


def test_branch_switch_gives_nothing_up(shop: Repo, data: str) -> None:
    first = Agent(shop.path, data, "first")
    first.edit(OLD, BAD)
    first.fail()
    first.undo()
    hunk = {"oldStart": 2, "newStart": 2, "lines": [f"-{BAD}", f"+{OLD}"]}
    diff = {"files": [{"filePath": str(shop / "backoff.py"), "hunks": [hunk]}]}
    call = first.tool("Bash", {"command": "git commit -qam wip && git switch -q other"})
    shop.git("switch", "-q", "-c", "other")
    first.fire("PostToolUse", **call, tool_response={"stdout": "", "stderr": "", "bashEditDiff": diff})
    first.stop()
    first.stop()
    assert "fib_growth" not in Agent(shop.path, data, "second").start()


def test_repository_next_door_hears_nothing(given_up: Repo, tmp_path: Path, data: str) -> None:
    other = make_repo(tmp_path / "elsewhere", {"backoff.py": SOURCE, "b.py": "x = 1\n"})
    agent = Agent(other.path, data, "third")
    assert "fib_growth" not in agent.start()
    assert agent.read() == ""
    assert agent.plan(OLD, BAD) == {}
    assert agent.fail() == ""


def test_test_that_is_written_first_leaves_no_warning(shop: Repo, data: str) -> None:
    first = Agent(shop.path, data, "first")
    (shop.path / "tests").mkdir()
    (shop / "tests/test_backoff.py").write_text("def test_growth(): ...\n")
    first.edit(
        "def test_growth(): ...", "def test_growth():\n    assert backoff(1, 3) == 8", "tests/test_backoff.py"
    )
    first.fail()
    first.edit(OLD, BAD)
    first.passes()
    first.stop()
    assert "fib_growth" not in Agent(shop.path, data, "second").start()


def test_cure_of_a_failure_is_told(shop: Repo, data: str) -> None:
    first = Agent(shop.path, data, "first")
    first.edit(OLD, BAD)
    first.fail()
    first.edit(BAD, "    return min(base * 2 ** attempt, ceiling())")
    first.passes()
    first.stop()
    second = Agent(shop.path, data, "second")
    assert "fib_growth" not in second.start()
    assert "cured by `return min(base * 2 ** attempt, ceiling())`" in second.fail()


@pytest.mark.parametrize(("mode", "decision"), [("advise", None), ("off", None), ("ask", "ask")])
def test_mode_says_how_a_repeat_is_met(given_up: Repo, data: str, mode: str, decision: str | None) -> None:
    agent = Agent(given_up.path, data, "second", ENGRAM_ATTEMPTS_MODE=mode)
    plan = agent.plan(OLD, BAD)
    assert plan.get("permissionDecision") == decision
    assert ("fib_growth" in plan.get("additionalContext", "")) is (mode == "advise")


def test_secret_in_a_change_is_not_kept(shop: Repo, data: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    first = Agent(shop.path, data, "first")
    first.edit(OLD, f'    token = "{secret}"')
    first.fail()
    first.stop()
    held = b"".join(path.read_bytes() for path in Path(data).rglob("*") if path.is_file())
    assert secret.encode() not in held
