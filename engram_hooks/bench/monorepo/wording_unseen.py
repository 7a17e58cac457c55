"""The words of the unseen split: nothing is tuned to it."""

from __future__ import annotations

from engram_hooks.bench.monorepo.wording import Entity, Fault, Split, Trial, do, leave, let

_ENTITIES = (
    Entity("warehouse", "depot"),
    Entity("ticket", "support case"),
    Entity("playlist", "song collection"),
    Entity("sensor", "probe"),
    Entity("contract", "agreement"),
    Entity("employee", "staff member"),
    Entity("booking", "reservation"),
    Entity("article", "news post"),
    Entity("payout", "transfer to sellers"),
    Entity("vehicle", "car"),
    Entity("recipe", "cooking instruction"),
    Entity("lesson", "course unit"),
    Entity("survey", "questionnaire"),
    Entity("donation", "charity gift"),
)
_FAULTS = (
    Fault(
        "Escape separators in {e} export cells",
        "A comma inside a label shifted the remaining columns and corrupted the sheet.",
        "our table of every {s} is garbled as soon as a title holds punctuation",
        (let("escaped_{e}_cell", "quote_separators({e}.label)"),),
    ),
    Fault(
        "Honour the server's delay on throttled {e} delivery",
        "Immediate repeats made the peer ban us for the day.",
        "partner blocks us completely after too many {s} calls",
        (
            let("{e}_pause_ms", "retry_after_of({e}.reply)"),
            leave("{e}_pause_ms > 0", "postpone_{e}({e}_pause_ms)"),
        ),
    ),
    Fault(
        "Renew {e} leases at half their lifetime",
        "Holders lost them during long collector pauses, and both sides wrote: a race condition.",
        "two nodes believe at once that they own the {s}",
        (do("renew_{e}_lease({e}.lease, HALF_LIFE)"),),
    ),
    Fault(
        "Trim surrounding blanks from {e} codes",
        "Copied values carried a space and never matched.",
        "a pasted {s} reference is not recognised",
        (let("trimmed_{e}_code", "strip_blanks({e}.code)"),),
    ),
    Fault(
        "Skip soft-deleted rows in {e} aggregates",
        "Sums still contained what had been removed, a regression of the new storage.",
        "dashboard of a {s} counts things that people threw away",
        (leave("{e}.deleted_at != NONE", "NONE"),),
    ),
    Fault(
        "Hold the {e} journal until the flush is acknowledged",
        "A power cut between truncate and sync meant data loss.",
        "records of a {s} vanished when the machine went down",
        (do("await_{e}_flush({e}.journal)"), do("truncate_{e}_journal({e}.journal)")),
    ),
    Fault(
        "Fold {e} addresses to lower case before lookup",
        "Mixed spelling produced a second identity.",
        "same person ends up with several {s} entries depending on capital letters",
        (let("folded_{e}_address", "fold_case({e}.email)"),),
    ),
    Fault(
        "Clamp the backoff exponent of {e}",
        "Waiting outgrew the integer, an overflow to zero, and hammered the broker.",
        "queue gets flooded by endless quick attempts for one {s}",
        (let("clamped_{e}_exponent", "min_of({e}.attempts, MAX_EXPONENT)"),),
    ),
    Fault(
        "Release the {e} mutex on early return",
        "A validation failure left it held and the next caller hit a deadlock.",
        "everything stands still once a {s} was rejected",
        (do("defer_{e}_unlock({e}.mutex)"), leave("NOT {e}.is_valid", "NONE")),
    ),
    Fault(
        "Compare {e} signatures in constant time",
        "The byte-wise check told how long the matching prefix was (timing attack).",
        "could an outsider guess a {s} secret by measuring our answers",
        (
            leave(
                "NOT equal_in_constant_time({e}.signature, {e}_expected_signature({e}))",
                "deny_{e}({e}.id)",
            ),
        ),
        is_security=True,
    ),
    Fault(
        "Stop logging {e} credentials",
        "Access keys reached the shared collector in clear text, a sensitive data exposure.",
        "passwords of a {s} can be read in our monitoring",
        (let("masked_{e}", "mask_credentials({e}.settings)"), do("note_{e}_event(masked_{e})")),
        is_security=True,
    ),
    Fault(
        "Read {e} figures with the invariant locale",
        "On German hosts the decimal point was taken as a grouping mark.",
        "{s} prices are a thousand times too high in some countries",
        (let("parsed_{e}_figure", "parse_invariant({e}.figure)"),),
    ),
    Fault(
        "Unsubscribe {e} listeners when the view goes away",
        "Each visit added another one: a memory leak until the tab crashed.",
        "browser becomes slow after looking at the {s} screen many times",
        (do("drop_{e}_listeners({e}.view)"),),
    ),
    Fault(
        "Pin the {e} snapshot while it is copied",
        "Compaction removed segments under a running backup.",
        "restoring a {s} fails since pieces are not there",
        (let("pinned_{e}", "pin_snapshot({e}.snapshot)"), do("copy_{e}_segments(pinned_{e})")),
    ),
    Fault(
        "Cap recursion over nested {e} groups",
        "Deep input caused a stack overflow.",
        "service dies on a {s} with very many levels",
        (leave("{e}.depth > MAX_NESTING", "too_deep_{e}({e}.id)"),),
    ),
    Fault(
        "Treat an empty {e} list as no filter",
        "An empty IN clause matched nothing.",
        "overview of every {s} shows zero results unless some box is ticked",
        (leave("{e}.choices == EMPTY", "all_{e}_rows()"),),
    ),
)
_TRIALS = (
    Trial(
        "Stream {e} exports in chunks",
        "The proxy buffers everything and ran out of disk.",
        "why is a {s} file sent in a single piece",
        ("do", "stream_{e}_chunks({e}, CHUNK_BYTES)"),
    ),
    Trial(
        "Precompute {e} rankings at night",
        "Editors expect their changes at once and complained.",
        "was working out the {s} top list ahead of time tried before",
        ("let", "nightly_{e}_rank", "precomputed_{e}_rank({e}.id)"),
    ),
    Trial(
        "Deduplicate {e} rows by content hash",
        "Legal needs every copy with its own date.",
        "can identical {s} records be merged automatically",
        ("let", "{e}_digest", "content_hash_of({e}.fields)"),
    ),
    Trial(
        "Fan {e} updates out over threads",
        "The driver is not safe for that and mixed up answers.",
        "is it an option to handle {s} modifications in parallel",
        ("do", "fan_out_{e}({e}, THREADS)"),
    ),
)
_FEATURES = (
    "Introduce {q} for {e} {p}",
    "{e}: {q} while {v}",
    "feat: {a} shows {q} of each {e}",
    "Provide {q} on {e}",
    "Accept {q} in {e} {p}",
)

UNSEEN = Split(
    "unseen",
    29,
    ("logistics", "media", "people", "learning"),
    _ENTITIES,
    _FAULTS,
    _TRIALS,
    _FEATURES,
)
