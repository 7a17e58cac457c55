"""What part a file plays, by its path: source, test, docs, build, lock, generated, vendored or other."""

from __future__ import annotations

import re
from functools import lru_cache

from engram_hooks.history.languages import language_of
from engram_hooks.history.late import LatePattern

SOURCE, TEST, DOCS, BUILD, LOCK = "source", "test", "docs", "build", "lock"
GENERATED, VENDORED, OTHER = "generated", "vendored", "other"
# files whose changes say nothing about the code around
NOISE = frozenset((LOCK, GENERATED, VENDORED))

_VENDORED = LatePattern(
    r"(^|/)(vendor|vendored|_vendor|_vendored|third[-_]?party|3rd[-_]?party|node_modules|bower_components"
    r"|external|Godeps|site-packages|\.yarn|packages/(urllib3|chardet|idna))/"
)
_LOCK = LatePattern(
    r"(^|/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum"
    r"|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|mix\.lock|flake\.lock"
    r"|Podfile\.lock|packages\.lock\.json|gradle\.lockfile|deno\.lock|pubspec\.lock)$"
)
_GENERATED = LatePattern(
    r"\.min\.(js|css|mjs)$|\.bundle\.js$|\.(js|css)\.map$|\.pb\.(go|cc|h)$|_pb2(_grpc)?\.pyi?$|\.pb\.\w+$"
    r"|(^|/)(dist|__snapshots__|__generated__|generated)/|\.snap$|\.g\.(dart|cs)$|\.designer\.cs$"
    r"|_generated\.\w+$|\.generated\.\w+$|(^|/)zz_generated\.|\.svg$|\.cassette$"
)
_DOCS = LatePattern(
    r"(^|/)(docs?|documentation|website|www|man)/"
    r"|\.(md|markdown|mdx|rst|adoc|asciidoc|txt|tex|pod|po|pot|[1-8])$"
    r"|(^|/)(change(s|log)?|history|news|authors|contributors|contributing|copying|licen[cs]e|notice|readme"
    r"|maintainers|codeowners|security|support|todo|release[-_]?notes)(\.\w+)?$",
    re.IGNORECASE,
)
_TEST = LatePattern(
    r"(^|/)(tests?|testing|__tests__|specs?|e2e|integration[-_]tests?|testdata|fixtures|benchmarks?|bench(es)?)/"
    r"|(^|/)(test_[^/]*|tests?\.\w+|conftest\.py|[^/]*[_.-](test|tests|spec)\.\w+|[^/]*Tests?\.(java|kt|cs|swift))$"
    r"|(^|/)test[^/]*\.(js|mjs|sh|pl)$"
)
_BUILD = LatePattern(
    r"(^|/)(\.github|\.circleci|\.gitlab|\.ci|ci|\.azure-pipelines|\.buildkite|\.husky|\.devcontainer)/"
    r"|(^|/)(Makefile(\.\w+)?|CMakeLists\.txt|Dockerfile[^/]*|[^/]*\.Dockerfile|docker-compose[^/]*|Jenkinsfile"
    r"|tox\.ini|noxfile\.py|setup\.(py|cfg)|pyproject\.toml|requirements[^/]*\.(txt|in)|Pipfile|MANIFEST\.in"
    r"|package\.json|tsconfig[^/]*\.json|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|Rakefile"
    r"|configure(\.ac|\.in)?|meson\.build|BUILD(\.bazel)?|WORKSPACE|appveyor\.yml|netlify\.toml|renovate\.json"
    r"|composer\.json|\.[^/]+)$"
    r"|(^|/)requirements/|\.(cmake|mk|am|m4|gradle|csproj|sln|spec|nix)$|(^|/)[^/]*(webpack|rollup|vite|jest|babel"
    r"|eslint|prettier)[^/]*\.config\.\w+$"
)


@lru_cache(maxsize=65_536)
def role_of(path: str) -> str:
    """The role of a path (with `/` between its parts, relative to the top)."""
    if _VENDORED.search(path):
        return VENDORED
    if _LOCK.search(path):
        return LOCK
    if _GENERATED.search(path):
        return GENERATED
    if _BUILD.search(path):
        return BUILD
    is_code = bool(language_of(path, ""))
    if _TEST.search(path):
        return TEST
    if _DOCS.search(path) and not is_code:
        return DOCS
    if not is_code:
        return OTHER
    return DOCS if path.startswith(("docs/", "doc/", "website/")) else SOURCE
