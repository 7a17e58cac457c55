"""The part a file plays, by its path."""

from __future__ import annotations

import pytest

from engram_hooks.history.roles import role_of


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/app.py", "source"),
        ("lib/router/index.js", "source"),
        ("cmd/main.go", "source"),
        ("latest/handler.py", "source"),
        ("src/documents/model.rb", "source"),
        ("tests/test_app.py", "test"),
        ("pkg/walk_test.go", "test"),
        ("src/a.spec.ts", "test"),
        ("test_requests.py", "test"),
        ("src/test/java/AppTest.java", "test"),
        ("conftest.py", "test"),
        ("README.md", "docs"),
        ("docs/conf.py", "docs"),
        ("docs/user/advanced.rst", "docs"),
        ("CHANGELOG", "docs"),
        ("LICENSE", "docs"),
        (".github/workflows/ci.yml", "build"),
        ("Makefile", "build"),
        ("setup.py", "build"),
        ("Cargo.toml", "build"),
        ("tools/Dockerfile.dev", "build"),
        ("package-lock.json", "lock"),
        ("a/go.sum", "lock"),
        ("static/app.min.js", "generated"),
        ("api/v1/order.pb.go", "generated"),
        ("dist/bundle.js", "generated"),
        ("vendor/github.com/x/y.go", "vendored"),
        ("requests/packages/urllib3/util.py", "vendored"),
        ("data/cities.csv", "other"),
        ("logo.png", "other"),
    ],
)
def test_role(path: str, role: str) -> None:
    assert role_of(path) == role
