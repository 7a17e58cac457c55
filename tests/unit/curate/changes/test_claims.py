"""What sentences of developers claim: what is gone, what is set, and what is no claim at all."""

from __future__ import annotations

import pytest

from engram_hooks.curate.changes.claims import Claim, find_run, read_claims
from engram_hooks.curate.changes.frames import read_frame
from engram_hooks.curate.changes.words import split_sentences, stem_word


def value_gone(text: str, old: str) -> str:
    """What the later text says is gone, in the words of the earlier one; '' where it is not in there."""
    for claim in read_claims(text):
        for region, place in zip(claim.replaces, claim.places, strict=True):
            for other in read_claims(old):
                span = find_run(region.split(), other, place)
                if span:
                    return " ".join(other.words[span[0] : span[1]])
    return ""


@pytest.mark.parametrize(
    ("text", "old", "gone"),
    [
        ("We moved from Chef to Ansible.", "Servers are set up with Chef.", "chef"),
        ("Ansible replaces Chef.", "Servers are set up with Chef.", "chef"),
        ("Chef is out, Ansible is in.", "Servers are set up with Chef.", "chef"),
        ("Chef out, Ansible in.", "Servers are set up with Chef.", "chef"),
        ("Provisioning: Chef -> Ansible", "Servers are set up with Chef.", "chef"),
        ("Provisioning: Chef → Ansible", "Servers are set up with Chef.", "chef"),
        ("Replaced Chef with Ansible.", "Servers are set up with Chef.", "chef"),
        ("Chef was replaced by Ansible.", "Servers are set up with Chef.", "chef"),
        ("We use Ansible instead of Chef.", "Servers are set up with Chef.", "chef"),
        ("Servers are set up with Ansible, not with Chef.", "Servers are set up with Chef.", "chef"),
        ("Provisioning moved to Ansible from Chef.", "Servers are set up with Chef.", "chef"),
        ("Chef was replaced by Ansible for the servers.", "Servers are set up with Chef.", "chef"),
        ("We no longer use Chef.", "Servers are set up with Chef.", "chef"),
        ("We don't use Chef any more.", "Servers are set up with Chef.", "chef"),
        ("Dropped Chef.", "Servers are set up with Chef.", "chef"),
        ("We've left Chef.", "Servers are set up with Chef.", "chef"),
        ("Servers used to be set up with Chef.", "Servers are set up with Chef.", "chef"),
        ("Backups are kept for 30 days (was 14 days).", "Backups are kept for 14 days.", "14 days"),
        ("The limit went from 1,000 to 2,000.", "The limit is 1,000.", "1,000"),
        ("Standup moved from 9:30 to 10:15.", "Standup is at 9:30.", "9:30"),
        ("The column moved from NUMERIC(10,2) to BIGINT.", "The column is NUMERIC(10,2).", "numeric(10,2)"),
        ("HashiCorp Vault is gone.", "Secrets come from HashiCorp Vault.", "hashicorp vault"),
        ("We moved off Vault to KMS.", "Secrets come from HashiCorp Vault.", "vault"),
    ],
)
def test_what_is_gone_is_found_in_what_was_said(text: str, old: str, gone: str) -> None:
    assert value_gone(text, old) == gone


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Never replace Chef with Ansible.", "Servers are set up with Chef."),
        ("Don't use Puppet instead of Chef.", "Servers are set up with Chef."),
        ("Removed the stale Chef badge.", "Servers are set up with Chef."),
        ("The Chef client package is gone.", "Servers are set up with Chef."),
        ("Dropped Redis.", "Events go through Redis Streams."),
        ("We moved from Kafka to NATS.", "Tables are copied with Kafka Connect."),
        ("Chef is fine.", "Servers are set up with Chef."),
        ("We moved from Chef to Salt.", "Servers moved from Chef to Ansible."),
        ("The limit went from 1 to 2.", "The limit is 1,000."),
    ],
)
def test_what_is_only_named_is_not_gone(text: str, old: str) -> None:
    assert value_gone(text, old) == ""


@pytest.mark.parametrize(
    "text",
    [
        "We looked at Salt and decided against it.",
        "Salt was evaluated: too slow, dropped.",
        "Salt was proposed and voted down.",
        "Tried Salt on a branch, staying with Ansible.",
        "Somebody suggested Salt, we said no.",
    ],
)
def test_rejected_option_is_told_apart(text: str) -> None:
    assert all(claim.is_rejected for claim in read_claims(text))


@pytest.mark.parametrize(
    "text",
    [
        "Should we replace Ansible with Salt?",
        "We might move to Salt next year.",
        "If we ever drop Ansible, Salt is next.",
        "Thinking about Salt, nothing decided.",
    ],
)
def test_plan_is_told_apart(text: str) -> None:
    assert all(claim.is_planned for claim in read_claims(text))


@pytest.mark.parametrize(
    "text",
    [
        "Servers are set up with Ansible.",
        "We moved from Chef to Ansible, Salt was too slow for us.",
        "Ansible tests run on every push.",
        "The demo data is loaded with make seed.",
        "Never push to main without a review.",
    ],
)
def test_fact_is_neither_rejected_nor_planned(text: str) -> None:
    assert not any(claim.is_rejected or claim.is_planned for claim in read_claims(text)[:1])


@pytest.mark.parametrize(
    ("text", "is_asserted"),
    [
        ("Servers are set up with Ansible.", True),
        ("We moved from Chef to Ansible.", True),
        ("Chef is gone.", False),
        ("Deleted an old cookbook.", False),
        ("The README still mentions Chef.", False),
        ("There is a leftover of Chef in the image.", False),
        ("There is still a Chef recipe in the scripts folder.", False),
    ],
)
def test_note_on_what_is_gone_asserts_nothing(text: str, is_asserted: bool) -> None:
    assert read_claims(text)[0].is_asserted is is_asserted


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Broker: NATS, three nodes.", "nats"),
        ("The broker is NATS now.", "nats"),
        ("Docs are built with MkDocs.", "mkdocs"),
        ("Use Lucide for icons.", "lucide"),
        ("We moved from Chef to Ansible because of speed.", "ansible"),
        ("Amounts are stored as integer cents.", "integer cents"),
        ("Feature branches are squashed.", "squashed"),
    ],
)
def test_value_stands_where_a_sentence_puts_it(text: str, value: str) -> None:
    assert read_claims(text)[0].value == value


@pytest.mark.parametrize(
    ("text", "amounts", "family"),
    [
        ("Sessions last 90 minutes.", {"time 5400"}, "time"),
        ("Sessions last an hour and a half.", {"time 3600"}, "time"),
        ("Sessions last 1.5 h.", {"time 5400"}, "time"),
        ("Uploads are limited to 20MB.", {"size 2e+07"}, "size"),
        ("The canary gets 5 % of traffic.", {"share 5"}, "share"),
        ("Listens on :8080", {"number 8080"}, "number"),
        ("Jobs are retried twice.", {"count 2"}, "count"),
        ("Reviewers: two for each change.", {"number 2"}, "number"),
        ("We run Python 3.12.", set(), "version"),
        ("We use one broker.", set(), ""),
    ],
)
def test_amounts_are_read_with_their_units(text: str, amounts: set[str], family: str) -> None:
    frame = read_frame(read_claims(text)[0])
    assert (set(frame.amounts), frame.family) == (amounts, family)


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        (("cache", "cached", "caching", "caches"), "cach"),
        (("build", "built", "builds", "building"), "build"),
        (("retry", "retries", "retried"), "retr"),
        (("log", "logs", "logging", "logged"), "log"),
        (("Postgres",), "postgr"),
        (("v2", "V2"), "v2"),
        (("bus",), "bus"),
    ],
)
def test_forms_of_a_word_share_a_stem(words: tuple[str, ...], stem: str) -> None:
    assert {stem_word(word) for word in words} == {stem}


def test_brackets_make_a_sentence_of_their_own() -> None:
    assert split_sentences("Ports (was 80) are open. Done") == [
        ["Ports", "are", "open"],
        ["was", "80"],
        ["Done"],
    ]


@pytest.mark.parametrize(
    "text", ["", " ", "...", "->", "()", "from to", "a -> b -> c", "x" * 5_000, "\x01\x02\x03"]
)
def test_odd_texts_are_read_without_an_error(text: str) -> None:
    assert all(isinstance(claim, Claim) for claim in read_claims(text))
