"""What the approaches of a split are made of: the wish, the lines, how they fail, and the same in other words."""

from __future__ import annotations

from dataclasses import dataclass

from engram_hooks.bench.monorepo.wording import do, leave, let

# statements as `bench.monorepo.code` takes them: kind, then words with `{e}` for the thing
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Approach:
    """Something to try. In texts `{e}` is the thing, `{s}` what people call it, `{f}` the function, `{p}` the file."""

    wish: str
    again: tuple[str, ...]  # prompts that want the same once more
    rows: Rows
    like: Rows  # the same approach in slightly other words
    error: str
    message: str


@dataclass(frozen=True, slots=True)
class Deck:
    """The approaches of a split, and prompts that want something else of the same things."""

    approaches: tuple[Approach, ...]
    asides: tuple[str, ...]


DEVELOPMENT = Deck(
    (
        Approach(
            "Make {f} in {p} faster: cache what it reads per process.",
            (
                "Let's keep the values that {f} reads in a per-process cache.",
                "Can {p} cache its reads, please?",
            ),
            (
                let("cached_{e}", "process_cache.get({e}.id, load_{e})"),
                do("process_cache.keep(cached_{e}, 600)"),
            ),
            (
                let("{e}_from_cache", "process_cache.get({e}.id, load_{e})"),
                do("process_cache.keep({e}_from_cache, 60)"),
            ),
            "StaleError",
            "{e} had version 3, expected 4",
        ),
        Approach(
            "Please make {f} ({p}) retry the write until it works.",
            ("Add retries of the write to {f}.", "In {p}, keep trying to write the {s} until it succeeds."),
            (let("written", "repeat_until_done(write_{e}, {e})"), leave("NOT written", "NONE")),
            (let("is_written", "repeat_until_done(write_{e}, {e}, 5)"), leave("NOT is_written", "NONE")),
            "DuplicateKey",
            "two rows for {e} 17",
        ),
        Approach(
            "Read the {e} from the replica in {f}, {p} is too slow.",
            ("Could {f} ask the replica and not the primary?", "Point the reads of {p} to the replica."),
            (let("replica_{e}", "replica_pool.fetch_{e}({e}.id)"),),
            (let("{e}_row", "replica_pool.fetch_{e}({e}.id, limit)"),),
            "LookupError",
            "{e} 99 is not there yet",
        ),
        Approach(
            "Drop the lock around {f} in {p}, it costs too much.",
            ("Is the lock in {f} needed? Take the optimistic way.", "Make {p} optimistic, without locks."),
            (let("seen_version", "{e}.version"), do("compare_and_swap_{e}({e}, seen_version)")),
            (let("old_version", "{e}.version"), do("compare_and_swap_{e}({e}, old_version, limit)")),
            "ConflictError",
            "lost update on {e}",
        ),
        Approach(
            "Batch the notifications of {f} in {p}.",
            (
                "{f} should send its notifications in batches.",
                "Collect what {p} notifies and send it as one batch.",
            ),
            (do("pending_{e}_notices.append({e})"), leave("pending_{e}_notices.size < BATCH", "NONE")),
            (do("pending_{e}_notices.append({e}.id)"), leave("pending_{e}_notices.size < 50", "NONE")),
            "AssertionError",
            "expected 1 notice of {e}, got 0",
        ),
        Approach(
            "Parse the {e} lazily in {f} of {p}.",
            ("Make parsing lazy in {f}.", "{p}: do not parse the {s} before somebody needs it."),
            (let("lazy_{e}", "deferred_parse({e}.raw)"), do("attach_lazy_{e}({e}, lazy_{e})")),
            (let("deferred_{e}", "deferred_parse({e}.raw, limit)"), do("attach_lazy_{e}({e}, deferred_{e})")),
            "ValueError",
            "{e} was read after its source was closed",
        ),
        Approach(
            "Use local time in {f} ({p}) so that reports match.",
            ("Reports do not match: {f} should use local time.", "Change {p} to the local time zone."),
            (let("local_{e}_day", "to_local_day({e}.created_at, OFFICE_ZONE)"),),
            (let("{e}_day", "to_local_day({e}.updated_at, OFFICE_ZONE)"),),
            "AssertionError",
            "{e} fell on 30 March twice",
        ),
        Approach(
            "Let {f} in {p} take the identifier from the client.",
            (
                "Why not accept the id that the client sends in {f}?",
                "Have {p} use identifiers made by clients.",
            ),
            (let("client_{e}_id", "{e}.request.client_id"), do("assign_{e}_id({e}, client_{e}_id)")),
            (let("given_id", "{e}.request.client_id"), do("assign_{e}_id({e}, given_id)")),
            "IntegrityError",
            "identifier of {e} is taken",
        ),
    ),
    (
        "Translate the labels of the {s} screen into Dutch.",
        "Write a changelog entry for the last release.",
        "Rename the columns of the {e} report.",
        "Explain how {f} is called.",
        "Add a test of {p} for empty input.",
        "Bump the linter and fix what it finds.",
    ),
)

UNSEEN = Deck(
    (
        Approach(
            "{f} blocks: push the slow part of {p} to a background thread.",
            (
                "Move the slow part of {f} off to a background thread.",
                "{p} should do its slow work on another thread.",
            ),
            (let("{e}_task", "background.spawn(finish_{e}, {e})"), do("{e}_task.detach()")),
            (let("task", "background.spawn(finish_{e}, {e}, limit)"), do("task.detach()")),
            "TimeoutError",
            "{e} was still pending after 5 s",
        ),
        Approach(
            "Compress the payload that {f} stores (see {p}).",
            ("Payloads of {f} are big, compress them.", "Let's compress what {p} puts into storage."),
            (
                let("packed_{e}", "deflate_bytes({e}.payload, LEVEL)"),
                do("store_{e}_blob({e}.id, packed_{e})"),
            ),
            (let("{e}_bytes", "deflate_bytes({e}.payload, 9)"), do("store_{e}_blob({e}.id, {e}_bytes)")),
            "DecodeError",
            "checksum of {e} differs",
        ),
        Approach(
            "In {p}, skip validation in {f} when the caller is internal.",
            (
                "Internal callers of {f} need no validation.",
                "Turn validation off in {p} for internal callers.",
            ),
            (leave("{e}.caller.is_internal", "trusted_{e}({e})"),),
            (leave("{e}.caller.is_internal == YES", "trusted_{e}({e}, limit)"),),
            "PermissionError",
            "{e} of another account was changed",
        ),
        Approach(
            "Turn the recursion of {f} in {p} into a loop with a worklist.",
            (
                "Rewrite {f} with a worklist and no recursion.",
                "A worklist would be better than recursion in {p}.",
            ),
            (let("worklist", "seed_{e}_worklist({e})"), do("drain_{e}_worklist(worklist, limit)")),
            (let("todo", "seed_{e}_worklist({e}, limit)"), do("drain_{e}_worklist(todo, limit)")),
            "AssertionError",
            "order of {e} children changed",
        ),
        Approach(
            "Compute the {e} totals with integers in {f} ({p}).",
            ("Switch {f} over to integer totals.", "Totals in {p}: use integers, floats are slow."),
            (
                let("integer_{e}_total", "truncate_total({e}.parts)"),
                do("publish_{e}_total(integer_{e}_total)"),
            ),
            (let("{e}_sum", "truncate_total({e}.parts, 2)"), do("publish_{e}_total({e}_sum)")),
            "AssertionError",
            "{e} total 1041 is not 1042",
        ),
        Approach(
            "Replace the poll in {f} by a push subscription, {p}.",
            ("{f} polls; use a push subscription.", "Subscribe to pushes and stop polling in {p}."),
            (do("broker.subscribe({e}.topic, on_{e}_push)"), leave("NOT {e}.topic.is_open", "NONE")),
            (do("broker.subscribe({e}.topic, on_{e}_push, limit)"), leave("NOT {e}.topic.is_ready", "NONE")),
            "ConnectionError",
            "{e} feed closed by peer",
        ),
        Approach(
            "Guess the missing locale in {f} from the address; file {p}.",
            (
                "Have {f} guess the locale out of the address.",
                "{p} could guess a locale where none is given.",
            ),
            (let("guessed_{e}_locale", "locale_from_address({e}.address)"),),
            (let("{e}_locale", "locale_from_address({e}.address, DEFAULT_LOCALE)"),),
            "KeyError",
            "no locale for {e} in XK",
        ),
        Approach(
            "Soft-delete in {f}: mark the {e} and keep the row ({p}).",
            ("Mark rows as deleted in {f} and keep them.", "Make the deletion in {p} a soft one."),
            (do("mark_{e}_deleted({e}.id, NOW)"), leave("{e}.is_marked", "NONE")),
            (do("mark_{e}_deleted({e}.id, NOW, limit)"), leave("{e}.is_marked == YES", "NONE")),
            "UniqueViolation",
            "name of {e} is in use",
        ),
    ),
    (
        "What does the deployment script do?",
        "Sort the list of {s} entries by name in the sidebar.",
        "Describe {p} in the overview page.",
        "Give {f} a docstring.",
        "Update the copyright year everywhere.",
        "Which tests cover the {e} area?",
    ),
)
DECKS = {"dev": DEVELOPMENT, "unseen": UNSEEN}
