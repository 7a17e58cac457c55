"""Names of things are told from other words by how they are written."""

from __future__ import annotations

import pytest

from engram_hooks.curate.relations.entities import find_entities, read_glob
from engram_hooks.curate.relations.words import normalise_name


def kinds_of(sentence: str) -> dict[str, str]:
    """The names that a sentence surely holds, with their kinds."""
    return {one.name: one.kind for one in find_entities(sentence) if one.is_sure}


@pytest.mark.parametrize(
    ("sentence", "name", "kind"),
    [
        pytest.param("it is `charge_with_retry`", "charge_with_retry", "symbol", id="code marks"),
        pytest.param("call retry_once() again", "retry_once", "symbol", id="call"),
        pytest.param("raise MAX_RETRIES to 5", "MAX_RETRIES", "symbol", id="constant"),
        pytest.param("the parseHeader part", "parseHeader", "symbol", id="small camel"),
        pytest.param("in OrderParser", "OrderParser", "symbol", id="camel with an ending of code"),
        pytest.param("with RabbitMQ", "RabbitMQ", "tool", id="camel"),
        pytest.param("the queue::push way", "queue::push", "symbol", id="colons"),
        pytest.param("only in Money.add", "Money.add", "symbol", id="method"),
        pytest.param("see lib/http/header.py:88", "lib/http/header.py", "file", id="path with a line"),
        pytest.param("see Dockerfile", "Dockerfile", "file", id="file without an ending"),
        pytest.param("nothing in `legacy/`", "legacy/", "file", id="folder in code marks"),
        pytest.param("read ./notes/plan.md,", "./notes/plan.md", "file", id="path before a comma"),
        pytest.param("moved to redis", "redis", "tool", id="known tool in small letters"),
        pytest.param("moved to Redis", "Redis", "tool", id="known tool"),
        pytest.param("we need Keycloak", "Keycloak", "concept", id="capital within a sentence"),
        pytest.param("by GitHub Actions", "GitHub Actions", "tool", id="two words"),
        pytest.param("in S3 buckets", "S3", "tool", id="letters and digits"),
        pytest.param("on EKS now", "EKS", "concept", id="capitals"),
        pytest.param("on Fly.io now", "Fly.io", "tool", id="domain"),
        pytest.param("built on Next.js", "Next.js", "tool", id="name like a file"),
        pytest.param("run `pnpm install --frozen`", "pnpm", "tool", id="command"),
        pytest.param("as in @tobias wants", "tobias", "person", id="handle"),
        pytest.param("uses @tanstack/query", "tanstack/query", "tool", id="scoped package"),
        pytest.param("closes INC-2407", "INC-2407", "concept", id="issue"),
        pytest.param("the orders service is slow", "orders service", "service", id="part"),
        pytest.param("on macOS too", "macOS", "tool", id="capital at the end"),
    ],
)
def test_name_is_found_with_its_kind(sentence: str, name: str, kind: str) -> None:
    assert kinds_of(sentence)[name] == kind


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("Never do that on Monday in March", id="days and months"),
        pytest.param("IMPORTANT: do NOT delete it", id="shouting"),
        pytest.param("the API over HTTP gives JSON", id="kinds of things"),
        pytest.param("two URLs and their IDs", id="plural capitals"),
        pytest.param("read/write and/or input/output, 24/7", id="slashes"),
        pytest.param("https://example.org/a/b.py and ana@example.org", id="addresses"),
        pytest.param("keep it, e.g. i.e. etc. v1.2.3", id="abbreviations and numbers"),
        pytest.param("with `@property`, `if err`, `true` and `None`", id="words of a language"),
        pytest.param("use express lanes, make it just so, go on", id="English words that are tools, too"),
        pytest.param("Die Datenbank liegt auf dem Server und wird nicht gesichert", id="German"),
        pytest.param("A Title In Which All Words Are Large", id="title"),
        pytest.param("the new service of another server", id="vague parts"),
        pytest.param("_emphasis_ and **strong** words", id="emphasis"),
        pytest.param("", id="empty"),
    ],
)
def test_other_words_are_no_names(sentence: str) -> None:
    assert kinds_of(sentence) == {}


def test_first_word_is_a_name_only_where_it_is_known_as_one() -> None:
    assert kinds_of("Keycloak is down") == {}
    found = find_entities("Keycloak is down", known={"keycloak"})
    assert [(one.name, one.is_sure) for one in found] == [("Keycloak", True)]


@pytest.mark.parametrize(
    ("written", "norm"),
    [
        pytest.param("PostgreSQL", "postgres", id="one spelling"),
        pytest.param(" K8s ", "kubernetes", id="short form"),
        pytest.param("`retry()`", "retry", id="code marks and brackets"),
        pytest.param("./src/app/**", "src/app", id="glob"),
        pytest.param("@Ana", "ana", id="handle"),
        pytest.param("GitHub  Actions", "github actions", id="white space"),
    ],
)
def test_names_are_compared_by_one_spelling(written: str, norm: str) -> None:
    assert normalise_name(written) == norm


@pytest.mark.parametrize(
    ("glob", "name"),
    [
        pytest.param("src/app.py", "src/app.py", id="file"),
        pytest.param("backend/payments/**", "backend/payments", id="folder"),
        pytest.param("./docs/*", "docs", id="files of a folder"),
    ],
)
def test_glob_means_a_file_or_folder(glob: str, name: str) -> None:
    found = read_glob(glob)
    assert found is not None
    assert (found.name, found.kind) == (name, "file")


@pytest.mark.parametrize("glob", ["**", "*.py", "src/*/api.py", "src/[ab].py", "", "**/*.sql"])
def test_glob_of_many_files_means_none(glob: str) -> None:
    assert read_glob(glob) is None
