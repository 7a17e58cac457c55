"""What files import, and which files that is."""

from __future__ import annotations

import pytest

from engram_hooks.history.imports import PathIndex, imports_of, link


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        pytest.param("a.py", "import a.b as c, d\nfrom .x import (y,\n z)\nfrom . import q\nfrom e import *\n",
                     {"a.b", "d", ".x.y", ".x.z", ".q", "e"}, id="python"),
        pytest.param("a.py", "print 'x'\nimport a, b as c\nfrom ..d import e\n# import no\n",
                     {"a", "b", "..d.e"}, id="old python"),
        pytest.param("a.ts", "import x, { y } from './x'\nimport type { T } from \"@/t\"\nexport * from '../e'\n"
                     "import './side'\nconst a = require('./r'), b = await import('./lazy')\n",
                     {"./x", "@/t", "../e", "./side", "./r", "./lazy"}, id="typescript"),
        pytest.param("a.go", 'package a\nimport "fmt"\nimport (\n\tx "h.io/a/b"\n\t_ "c" // "no"\n)\n',
                     {"fmt", "h.io/a/b", "c"}, id="go"),
        pytest.param("a.rs", "use crate::a::{b, c::{D as E, self}};\nmod sub;\npub use super::x::*;\nmod tests { }\n",
                     {"crate::a::b", "crate::a::c::D", "crate::a::c", "self::sub", "super::x"}, id="rust"),
        pytest.param("A.java", "import static a.b.C.d;\nimport a.E;\nimport f.*;\n", {"a.b.C.d", "a.E", "f"},
                     id="java"),
        pytest.param("a.scala", "import a.b.{C, D => E}\nimport f._\n", {"a.b.C", "a.b.D", "f"}, id="scala"),
        pytest.param("a.c", '#include "x/y.h"\n# include <stdio.h>\n', {"x/y.h", "stdio.h"}, id="c"),
        pytest.param("a.rb", "require 'a/b'\nrequire_relative 'c'\nautoload :X, 'd/x'\n# require 'no'\n",
                     {"a/b", "./c", "d/x"}, id="ruby"),
        pytest.param("a.php", "<?php\nuse A\\B\\C;\nuse D\\{E, F as G};\nrequire_once __DIR__ . '/x.php';\n",
                     {"A\\B\\C", "D\\E", "D\\F", "./x.php"}, id="php"),
        pytest.param("a.cs", "using A.B;\nusing static C.D;\nusing (x) { }\n", {"A.B", "C.D"}, id="csharp"),
        pytest.param("a.sh", ". ./x.sh\nsource \"$DIR/lib/y.sh\"\n", {"./x.sh", "./lib/y.sh"}, id="shell"),
    ],
)  # fmt: skip
def test_imports_are_found(path: str, text: str, expected: set[str]) -> None:
    assert imports_of(path, text) == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("a.txt", "import a\n", id="no program"),
        pytest.param("a.py", "x = '''\nimport a\n'''\n", id="in a python string"),
        pytest.param(
            "a.ts", "// import x from './x'\nconst s = \"import './y'\"\n", id="in comment and string"
        ),
        pytest.param("a.go", 'package a\n// import "x"\nvar s = `\nimport "y"\n`\n', id="in a raw string"),
        pytest.param("a.rs", "// use a::b;\n", id="in a rust comment"),
        pytest.param(
            "a.php", "<?php // require 'x.php';\nfunction a() use ($b) {}\n", id="captured variables"
        ),
    ],
)
def test_what_only_looks_like_an_import_is_none(path: str, text: str) -> None:
    assert imports_of(path, text) == set()


FILES = PathIndex(
    "pkg/__init__.py pkg/a.py pkg/sub/__init__.py pkg/sub/b.py src/lib/c.py tools/run.py tools/near.py"
    " web/src/x.ts web/src/ui/index.tsx web/src/ui/row.tsx web/app.js web/src/e.vue"
    " go/pkg/store/s.go pkg/store/s.go pkg/store/s_test.go errors/e.go cmd/main.go"
    " crates/my-core/src/lib.rs crates/my-core/src/io/mod.rs crates/my-core/src/io/file.rs crates/app/src/main.rs"
    " j/src/main/java/a/b/C.java j/src/main/java/a/b/D.java j/src/test/java/a/b/CTest.java other/a/b/D.java"
    " c/src/x.c c/src/x.h c/include/y/z.h c/include/u.h d/include/u.h"
    " lib/r/one.rb lib/r/two.rb src/Http/Client.php src/Util.php bin/go.sh bin/lib/y.sh".split()
)


@pytest.mark.parametrize(
    ("importer", "name", "expected"),
    [
        pytest.param("pkg/sub/b.py", "..a.thing", "pkg/a.py", id="python relative"),
        pytest.param("pkg/a.py", ".sub.b", "pkg/sub/b.py", id="python submodule"),
        pytest.param("pkg/sub/b.py", "..name", "pkg/__init__.py", id="python package"),
        pytest.param("tools/run.py", "pkg.a", "pkg/a.py", id="python absolute"),
        pytest.param("tools/run.py", "lib.c.f", "src/lib/c.py", id="python src layout"),
        pytest.param("tools/run.py", "near", "tools/near.py", id="python sibling"),
        pytest.param("web/src/x.ts", "./ui", "web/src/ui/index.tsx", id="script folder"),
        pytest.param("web/src/x.ts", "./ui/row.js", "web/src/ui/row.tsx", id="script written as js"),
        pytest.param("web/src/ui/row.tsx", "@/e", "web/src/e.vue", id="script alias"),
        pytest.param("cmd/main.go", "h.io/me/repo/pkg/store", "pkg/store/s.go", id="go package"),
        pytest.param("crates/my-core/src/lib.rs", "self::io", "crates/my-core/src/io/mod.rs", id="rust mod"),
        pytest.param("crates/my-core/src/io/mod.rs", "crate::io::file::F", "crates/my-core/src/io/file.rs",
                     id="rust crate"),
        pytest.param("crates/my-core/src/io/file.rs", "super::file::X", "crates/my-core/src/io/file.rs",
                     id="rust super"),
        pytest.param("crates/app/src/main.rs", "my_core::io::R", "crates/my-core/src/io/mod.rs", id="rust workspace"),
        pytest.param("j/src/test/java/a/b/CTest.java", "a.b.C.d", "j/src/main/java/a/b/C.java", id="java member"),
        pytest.param("j/src/test/java/a/b/CTest.java", "a.b.D", "j/src/main/java/a/b/D.java", id="java nearest"),
        pytest.param("c/src/x.c", "x.h", "c/src/x.h", id="c beside"),
        pytest.param("c/src/x.c", "y/z.h", "c/include/y/z.h", id="c include path"),
        pytest.param("c/src/x.c", "u.h", "c/include/u.h", id="c nearest"),
        pytest.param("lib/r/one.rb", "r/two", "lib/r/two.rb", id="ruby load path"),
        pytest.param("lib/r/one.rb", "./two", "lib/r/two.rb", id="ruby relative"),
        pytest.param("src/Util.php", "App\\Http\\Client", "src/Http/Client.php", id="php namespace"),
        pytest.param("src/Http/Client.php", "App\\Util", "src/Util.php", id="php root"),
        pytest.param("bin/go.sh", "./lib/y.sh", "bin/lib/y.sh", id="shell"),
    ],
)  # fmt: skip
def test_imports_are_linked(importer: str, name: str, expected: str) -> None:
    assert link(importer, [name], FILES) == {expected} - {importer}


@pytest.mark.parametrize(
    ("importer", "name"),
    [
        pytest.param("pkg/a.py", "json", id="standard library"),
        pytest.param("web/app.js", "react", id="package"),
        pytest.param("web/app.js", "../../../etc/passwd", id="outside"),
        pytest.param("cmd/main.go", "errors", id="go standard library"),
        pytest.param("cmd/main.go", "h.io/pkg/errors", id="another repository's package"),
        pytest.param("crates/app/src/main.rs", "std::io", id="rust standard library"),
        pytest.param("pkg/a.py", ".a", id="itself"),
        pytest.param("pkg/a.txt", "pkg", id="no program"),
        pytest.param("x/y/far.c", "u.h", id="ambiguous"),
    ],
)
def test_what_is_elsewhere_is_not_linked(importer: str, name: str) -> None:
    assert link(importer, [name], FILES.paths) - {"pkg/__init__.py"} == set()
