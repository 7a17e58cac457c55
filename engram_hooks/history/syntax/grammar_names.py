"""Kinds, owners and names of tree-sitter nodes, as the structural parser gives them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engram_hooks.history.syntax.cnames import read_test_name, split_qualified
from engram_hooks.history.syntax.keywords import read_impl_name

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_CLIMB = 60


@dataclass(frozen=True, slots=True)
class Named:
    """What a node declares; see `assembly.Declaration`."""

    kind: str
    name: str
    owner: str = ""
    at: Node | None = None  # where it begins, if not with the node


# Gives the text of a node, "" of none.
Read = Callable[["Node | None"], str]
Namer = Callable[["Node", str, Read], Named | None]


def name_plain(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name in the field of that name."""
    name = read(node.child_by_field_name("name")).strip("`'\"")
    return Named(kind, name) if name or kind in {"pass", "scope"} else None


def name_script(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a JavaScript node, for values that of what they are given to."""
    if "value" not in kind:
        return name_plain(node, kind, read)
    given = _given_to(node, read)
    own = read(node.child_by_field_name("name")) if node.type != "object" else ""
    if node.type == "class":
        if own:
            return Named("class", own)
        return replace(given, kind="class") if given else Named("pass", "")
    if node.type == "object":
        return replace(given, kind="scope") if given and given.owner != "module" else None
    if given is not None:
        return replace(given, kind="function")
    return Named("function", own) if own else None


def _given_to(node: Node, read: Read) -> Named | None:
    """Return what a value is given to: a variable, a property, a key, a field."""
    parent = node.parent
    while parent is not None and parent.type in {"as_expression", "satisfies_expression"}:
        node, parent = parent, parent.parent
    if parent is None:
        return None
    if parent.type == "variable_declarator":
        target = parent.child_by_field_name("name")
        plain = target is not None and target.type == "identifier"
        return Named("", read(target), at=parent) if plain else None
    if parent.type == "assignment_expression":
        if parent.child_by_field_name("right") != node or not _stands_alone(parent):
            return None
        named = _dotted(read(parent.child_by_field_name("left")))
        return replace(named, at=parent) if named else None
    key = None
    if parent.type == "pair" and parent.child_by_field_name("value") == node:
        key = parent.child_by_field_name("key")
    elif parent.type in {"field_definition", "public_field_definition"}:
        key = parent.child_by_field_name("name") or parent.child_by_field_name("property")
    return Named("", read(key).strip("'\""), at=key) if key is not None else None


def _stands_alone(assignment: Node) -> bool:
    parent = assignment.parent
    while parent is not None and parent.type == "assignment_expression":
        parent = parent.parent
    return parent is not None and parent.type in {"expression_statement", "variable_declarator"}


def _dotted(target: str) -> Named | None:
    """Return owner and name of `a.b.c`; `this` and `prototype` own nothing, `module` nothing but `exports`."""
    if not re.fullmatch(r"[\w$.#]+", target):
        return None
    *owners, name = target.split(".")
    if target == "module.exports":
        return Named("", name, "module")
    owner = ".".join(part for part in owners if part not in {"this", "prototype", "module"})
    return Named("", name, owner)


def name_go(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a Go node: methods with their receiver's type, types and variables at the top alone."""
    if node.type == "func_literal":
        spec = node.parent.parent if node.parent is not None else None
        outer = spec.parent if spec is not None and spec.type == "var_spec" else None
        if outer is None or outer.parent is None or outer.parent.type != "source_file":
            return None
        return name_plain(spec, "function", read) if spec is not None else None
    if kind == "type":
        outer = node.parent.parent if node.parent is not None else None
        if outer is None or outer.type != "source_file":
            return None
        inner = node.child_by_field_name("type")
        kinds = {"struct_type": "struct", "interface_type": "interface"}
        return name_plain(node, kinds.get(inner.type if inner is not None else "", "type"), read)
    receiver = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*\)", read(node.child_by_field_name("receiver")))
    named = name_plain(node, kind, read)
    return Named(kind, named.name, receiver[1]) if named and receiver else named


def name_rust(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a Rust node; an `impl` block has that of its type."""
    if kind == "scope":
        return Named("scope", read_impl_name("for " + read(node.child_by_field_name("type"))))
    if node.type == "mod_item" and node.child_by_field_name("body") is None:
        return None
    return name_plain(node, kind, read)


def name_c(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a C or C++ node, that of its typedef for a type without one."""
    if _is_inside_body(node):
        return None
    if kind != "function":
        if node.child_by_field_name("body") is None:
            return None
        name = read(node.child_by_field_name("name"))
        if not name and node.parent is not None and node.parent.type == "type_definition":
            name = read(node.parent.child_by_field_name("declarator"))
        owner, name = split_qualified(name)
        return Named(kind, name, owner) if re.fullmatch(r"\w+", name) else None
    if node.child_by_field_name("body") is None:
        return None  # = default, = delete
    declarator = node.child_by_field_name("declarator")
    for _ in range(MAX_CLIMB):
        if declarator is None or declarator.type in {"operator_cast", "qualified_identifier"}:
            break
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next((one for one in declarator.named_children if "declarator" in one.type), None)
        if inner is None:
            break
        declarator = inner
    return _c_function(node, read(declarator), read)


def _is_inside_body(node: Node) -> bool:
    """Return whether a node stands in the body of a function."""
    outer = node.parent
    for _ in range(MAX_CLIMB):
        if outer is None or outer.type == "compound_statement":
            return outer is not None
        outer = outer.parent
    return False


def _c_function(node: Node, written: str, read: Read) -> Named | None:
    owner, name = split_qualified(
        re.split(r"\(", written, maxsplit=1)[0] if "operator(" not in written else written
    )
    test = read_test_name(name, read(node.child_by_field_name("declarator")))
    if test is not None:
        return Named("function", test[1], test[0])
    return Named("function", name, owner) if name else None


def name_csharp(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a C# node."""
    if node.type == "destructor_declaration":
        return Named(kind, "~" + read(node.child_by_field_name("name")))
    if node.type == "indexer_declaration":
        return Named(kind, "this")
    if node.type == "operator_declaration":
        return Named(kind, "operator " + read(node.child_by_field_name("operator")))
    if node.type == "conversion_operator_declaration":
        return Named(
            kind, "operator " + re.sub(r"<.*", "", read(node.child_by_field_name("type")), flags=re.S)
        )
    return name_plain(node, kind, read)


def name_ruby(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a Ruby node; a constant that takes a new class names it."""
    if node.type == "assignment":
        value = read(node.child_by_field_name("right"))
        made = re.match(r"(?:::)?(?:Struct|Class|Module|Data)\.(?:new|define)\b", value)
        left = read(node.child_by_field_name("left"))
        if made is None or not re.fullmatch(r"[A-Z]\w*", left):
            return None
        call = node.child_by_field_name("right")
        block = call.child_by_field_name("block") if call is not None else None
        return Named("class", left) if block is not None else None
    named = name_plain(node, kind, read)
    if named is None or node.type not in {"class", "module"}:
        return named
    *owners, name = named.name.split("::")
    return Named(kind, name, ".".join(owner for owner in owners if owner))


def name_php(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a PHP node; only objects of an anonymous class are none."""
    if node.type == "object_creation_expression" and not re.match(
        r"new\s+(?:#\[.*?\]\s*)?class\b", read(node)[:200]
    ):
        return None
    return name_plain(node, kind, read)


def name_kotlin(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a Kotlin node."""
    if node.type == "secondary_constructor":
        return Named(kind, "constructor")
    if node.type == "class_declaration" and any(child.type == "interface" for child in node.children):
        kind = "interface"
    elif node.type == "class_declaration" and any(
        "enum" in read(child).split() for child in node.children[:1]
    ):
        kind = "enum"
    return name_plain(node, kind, read)


def name_swift(node: Node, kind: str, read: Read) -> Named | None:
    """Return the name of a Swift node; an extension has that of its type."""
    if node.type in {"init_declaration", "deinit_declaration", "subscript_declaration"}:
        return Named(kind, node.type.split("_", 1)[0])
    declared = read(node.child_by_field_name("declaration_kind"))
    kinds = {"struct": "struct", "enum": "enum", "extension": "scope"}
    named = name_plain(node, kinds.get(declared, kind), read)
    if named is not None and named.kind == "scope":
        return Named("scope", re.sub(r"<.*", "", named.name, flags=re.S).rsplit(".", 1)[-1].strip("[] \n"))
    return named


NAMERS: dict[str, Namer] = {
    "javascript": name_script,
    "typescript": name_script,
    "tsx": name_script,
    "go": name_go,
    "rust": name_rust,
    "c": name_c,
    "cpp": name_c,
    "csharp": name_csharp,
    "ruby": name_ruby,
    "php": name_php,
    "kotlin": name_kotlin,
    "swift": name_swift,
}
