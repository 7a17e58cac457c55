"""How a later text stands to an earlier one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engram_hooks.curate.changes.claims import read_claims
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.matters import ONE_MATTER, weigh_matter
from engram_hooks.curate.changes.resolve import CHANGE, MAYBE, NONE, SAME, relate
from engram_hooks.curate.changes.subjects import Measure


@pytest.fixture(scope="module")
def measure() -> Iterator[Measure]:
    """How alike words are in meaning, by the bundled table."""
    with open_measure() as found:
        assert found is not None
        yield found


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        pytest.param("Sessions last 12 hours.", "Sessions now last 4 hours.", CHANGE, id="amount"),
        pytest.param("Sessions last 12 hours.", "Sessions now last 720 minutes.", SAME, id="same amount"),
        pytest.param("Sessions last 12 hours.", "Sessions are now kept in memory.", NONE, id="another side"),
        pytest.param("We run Python 3.9.", "We run Python 3.12 now.", CHANGE, id="version"),
        pytest.param("Line length is 88.", "Line length is 110.", CHANGE, id="number"),
        pytest.param("Never squash merges.", "Squash merges are fine now.", CHANGE, id="allowed"),
        pytest.param("Never squash merges.", "Squash merges of docs are fine now.", NONE, id="an exception"),
        pytest.param("Ana is the owner.", "Tomas is the owner now.", CHANGE, id="a person"),
        pytest.param("Broker: NATS.", "The broker is NATS.", SAME, id="the same"),
        pytest.param(
            "The broker moved to NATS from Kafka; it was slow.",
            "The broker moved to Kafka from NATS; it was slow.",
            CHANGE,
            id="there and back for one reason",
        ),
        pytest.param("Reviews: one. It was slow.", "Use Ruby. It was slow.", NONE, id="the same reason"),
        pytest.param("10 logins a minute.", "100 searches a minute now.", NONE, id="so many of others"),
        pytest.param("Retention: a year.", "Retention is 30 days now.", CHANGE, id="a year"),
        pytest.param("The API is fast.", "The API is public.", NONE, id="two properties"),
        pytest.param("The API timeout is 30 s.", "The worker timeout is 60 s.", NONE, id="two subjects"),
        pytest.param("Keep 5 logs.", "Keep 7 backups now.", NONE, id="two things"),
        pytest.param("Staging runs on Fly.", "Production moved from Fly to Nomad.", NONE, id="a contrast"),
        pytest.param("Jobs run in Redis.", "We left Redis.", CHANGE, id="gone altogether"),
        pytest.param(
            "Job queue: Redis.", "Pages moved from Redis to Varnish.", MAYBE, id="perhaps elsewhere"
        ),
    ],
)
def test_relation(measure: Measure, old: str, new: str, kind: str) -> None:
    assert relate(read_claims(new), read_claims(old), measure).kind == kind


def test_reason_is_in_words_of_the_text() -> None:
    found = relate(read_claims("The broker is NATS now."), read_claims("The broker is RabbitMQ."))
    assert found.reason == "says something else of broker"


def test_known_subject_spares_the_proof() -> None:
    new, old = read_claims("Pictures go out through Varnish."), read_claims("Previews sit on a disk.")
    assert relate(new, old).kind == NONE
    assert relate(new, old, same_subject=True).kind == CHANGE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Uploads are scanned with ClamAV.", "Every upload is scanned by Sophos."),
        ("Spreadsheets are parsed with openpyxl.", "Parse spreadsheets with calamine."),
        ("Pictures are resized with ImageMagick.", "Resizing moved from ImageMagick to libvips."),
    ],
)
def test_two_values_of_one_matter_are_taken_together(measure: Measure, old: str, new: str) -> None:
    assert weigh_matter(read_claims(new), read_claims(old), measure) >= ONE_MATTER


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Uploads are scanned with ClamAV.", "Deploys happen on Tuesdays."),
        ("Spreadsheets are parsed with openpyxl.", "We looked at calamine and decided against it."),
        ("Uploads go to S3.", "Downloads come from CloudFront."),
        ("", "Deploys happen on Tuesdays."),
    ],
)
def test_other_matters_are_kept_apart(measure: Measure, old: str, new: str) -> None:
    assert weigh_matter(read_claims(new), read_claims(old), measure) < ONE_MATTER
