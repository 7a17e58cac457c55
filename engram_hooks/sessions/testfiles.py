"""Which files hold tests: a red test that was just written is no failed approach."""

from __future__ import annotations

_FOLDERS = frozenset(
    ("test", "tests", "spec", "specs", "__tests__", "testing", "e2e", "fixtures", "testdata")
)
_ENDINGS = ("_test", "_tests", "_spec", ".test", ".spec")


def is_test_path(path: str) -> bool:
    """Whether a file is one of tests, by its folders and its name."""
    *folders, name = path.replace("\\", "/").split("/")
    if any(folder.lower() in _FOLDERS for folder in folders):
        return True
    stem = name.rpartition(".")[0] or name
    lowered = stem.lower()
    if lowered.startswith(("test_", "test-", "tests_")) or lowered in {"conftest", "test", "tests"}:
        return True
    if lowered.endswith(_ENDINGS):
        return True
    return stem.endswith(("Test", "Tests", "Spec", "IT", "TestCase"))
