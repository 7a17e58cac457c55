"""Sentences say how things stand to each other; what is asked, wished or denied says nothing."""

from __future__ import annotations

import pytest

from engram_hooks.curate.relations.reading import MAX_ENTITIES, MAX_TEXT_CHARS, read_record, split_sentences


def links_of(text: str) -> set[str]:
    """The relations that a text holds, as `source kind target`."""
    return {" ".join(link) for link in read_record(text).relations}


@pytest.mark.parametrize(
    ("text", "link"),
    [
        pytest.param("Valkey replaces Redis", "valkey replaces redis", id="replaces"),
        pytest.param("Redis was replaced by Valkey", "valkey replaces redis", id="replaced by"),
        pytest.param("Replace Redis with Valkey", "valkey replaces redis", id="replace with"),
        pytest.param("Moved the queue from Redis to NATS", "nats replaces redis", id="from to"),
        pytest.param("Switch to NATS from Redis", "nats replaces redis", id="to from"),
        pytest.param("Use NATS instead of Redis", "nats replaces redis", id="instead of"),
        pytest.param("Use NATS, not Redis", "nats replaces redis", id="not"),
        pytest.param("Dropped Redis in favour of NATS", "nats replaces redis", id="in favour of"),
        pytest.param("Dropped Redis for NATS", "nats replaces redis", id="dropped for"),
        pytest.param("Use NATS for the queue, not Redis", "nats replaces redis", id="for, not"),
        pytest.param("We stopped using Redis and use NATS", "nats replaces redis", id="stopped using"),
        pytest.param("We use NATS now, Redis is gone", "nats replaces redis", id="is gone"),
        pytest.param("Mail goes by NATS now, no longer by Redis", "nats replaces redis", id="no longer"),
        pytest.param("NATS over Redis", "nats chosen_over redis", id="over"),
        pytest.param("We picked NATS rather than Redis", "nats chosen_over redis", id="rather than"),
        pytest.param("Prefer NATS to Redis", "nats chosen_over redis", id="prefer to"),
        pytest.param("The orders service uses NATS", "orders service uses nats", id="uses"),
        pytest.param("NATS is used by the orders service", "orders service uses nats", id="used by"),
        pytest.param("NATS powers the orders service", "orders service uses nats", id="powers"),
        pytest.param("The mailer is written in Elixir", "mailer uses elixir", id="written in"),
        pytest.param("Sessions are kept in Valkey", "sessions uses valkey", id="kept in"),
        pytest.param("Grafana needs Prometheus", "grafana depends_on prometheus", id="needs"),
        pytest.param("Prometheus is required by Grafana", "grafana depends_on prometheus", id="required by"),
        pytest.param("Staging runs on Nomad", "staging runs_on nomad", id="runs on"),
        pytest.param(
            "The billing worker is deployed to Nomad", "billing worker runs_on nomad", id="deployed"
        ),
        pytest.param("Deploy Grafana to Nomad", "grafana runs_on nomad", id="deploy to"),
        pytest.param("`retry_once` lives in lib/retry.py", "retry_once part_of lib/retry.py", id="lives in"),
        pytest.param("The tax module is owned by Ingrid", "tax module owned_by ingrid", id="owned by"),
        pytest.param("Ingrid owns the tax module", "tax module owned_by ingrid", id="owns"),
        pytest.param("Ask Ingrid about Keycloak", "keycloak owned_by ingrid", id="ask about"),
        pytest.param("Keycloak clashes with Okta", "keycloak conflicts_with okta", id="clashes"),
        pytest.param(
            "Keycloak does not work with Okta", "keycloak conflicts_with okta", id="does not work with"
        ),
        pytest.param("Never mix Keycloak with Okta", "keycloak conflicts_with okta", id="never mix"),
        pytest.param(
            "Grafana is configured in ops/g.ini", "grafana configured_by ops/g.ini", id="configured in"
        ),
        pytest.param("LOG_LEVEL controls Grafana", "grafana configured_by log_level", id="controls"),
        pytest.param("Commit fixes it: MIN_LOCK fixes ERR_DEAD_1", "min_lock fixes err_dead_1", id="fixes"),
        pytest.param("ERR_DEAD_1 is cured by MIN_LOCK", "min_lock fixes err_dead_1", id="cured by"),
    ],
)
def test_relation_is_read_in_its_direction(text: str, link: str) -> None:
    assert link in links_of(text)
    assert len(links_of(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Does the orders service use NATS?", id="question"),
        pytest.param("Maybe Valkey replaces Redis", id="doubt"),
        pytest.param("Considered moving from Redis to Valkey", id="weighed"),
        pytest.param("If Valkey replaces Redis, tell Ana", id="condition"),
        pytest.param("Valkey could replace Redis", id="possible"),
        pytest.param("The orders service does not use NATS", id="denied"),
        pytest.param("The orders service no longer uses NATS", id="past"),
        pytest.param("Don't use Redis instead of Valkey", id="forbidden"),
        pytest.param("It is not true that Okta conflicts with Keycloak", id="not true"),
        pytest.param("We may move from Redis to Valkey", id="may"),
        pytest.param("It would mean that Valkey replaces Redis", id="would"),
        pytest.param("Redis replaces Redis", id="itself"),
        pytest.param("Redis and Valkey are both fine", id="side by side"),
        pytest.param("She uses it with care", id="no thing"),
        pytest.param("The new one replaces the old one", id="no names"),
    ],
)
def test_what_is_asked_wished_or_denied_is_no_relation(text: str) -> None:
    assert links_of(text) == set()


def test_what_is_only_possible_does_not_reach_back() -> None:
    assert links_of("Valkey replaces Redis, nobody may change it back") == {"valkey replaces redis"}


def test_lists_give_one_relation_each() -> None:
    text = "The orders service and the tax module both depend on NATS, Valkey and Keycloak"
    assert links_of(text) == {
        f"{source} depends_on {target}"
        for source in ("orders service", "tax module")
        for target in ("nats", "valkey", "keycloak")
    }


def test_list_ends_where_another_sentence_goes_on() -> None:
    assert links_of("The Android app uses Room, the iOS app CoreData") == {"android app uses room"}


def test_name_that_is_known_from_elsewhere_counts_at_the_start() -> None:
    reading = read_record("Hermes must stay on", "Without Hermes the app starts slowly")
    assert [thing.norm for thing in reading.things] == ["hermes"]


def test_person_is_known_by_what_she_does() -> None:
    kinds = {thing.norm: thing.kind for thing in read_record("Ana said Redis stays. Ask Olek.").things}
    assert kinds == {"ana": "person", "redis": "tool", "olek": "person"}


def test_version_belongs_to_its_tool() -> None:
    assert links_of("Next.js 15 requires React 19.1") == {"next.js depends_on react"}


def test_globs_of_a_record_are_things() -> None:
    things = read_record("Use one key", paths=["backend/payments/**", "*.py", ""]).things
    assert [(thing.name, thing.kind) for thing in things] == [("backend/payments", "file")]


def test_code_blocks_are_not_read() -> None:
    assert (
        read_record("One key", "```py\nOrderParser.parse(Redis)\n```\nKept in Valkey").things[0].norm
        == "valkey"
    )
    assert len(read_record("One key", "```py\nOrderParser.parse(Redis)\n").things) == 0


def test_long_texts_are_bounded() -> None:
    text = " ".join(f"and `name_{number}`" for number in range(400))
    assert len(read_record("A note", text).things) == MAX_ENTITIES
    assert read_record("A note", "x" * MAX_TEXT_CHARS + " `late_name`").things == ()


def test_both_ends_of_each_relation_are_things() -> None:
    text = " ".join(f"The a{chr(97 + n)}b service uses Tool{chr(65 + n)}." for n in range(26))
    reading = read_record(text)
    norms = {thing.norm for thing in reading.things}
    assert {end for source, _, target in reading.relations for end in (source, target)} <= norms


def test_lines_and_points_are_sentences() -> None:
    assert list(split_sentences("One. Two\n- three\n* four; five")) == [
        "One.",
        "Two",
        "three",
        "four",
        "five",
    ]
