"""The words of the development split."""

from __future__ import annotations

from engram_hooks.bench.monorepo.wording import Entity, Fault, Split, Trial, do, leave, let

_ENTITIES = (
    Entity("invoice", "bill"),
    Entity("order", "purchase"),
    Entity("shipment", "parcel"),
    Entity("subscription", "membership plan"),
    Entity("refund", "repayment"),
    Entity("coupon", "voucher"),
    Entity("profile", "account page"),
    Entity("catalog", "range of goods"),
    Entity("basket", "shopping cart"),
    Entity("thread", "conversation"),
    Entity("picture", "photo"),
    Entity("device", "phone"),
    Entity("tenant", "client company"),
    Entity("webhook", "callback"),
)
_FAULTS = (
    Fault(
        "Reuse one idempotency key across retries of {e}",
        "A later attempt made a new key, so the gateway booked the {e} twice.",
        "why do customers find the same {s} two times on their statement",
        (
            let("attempt_key", "stable_key_of_{e}({e}.id, {e}.version)"),
            do("pin_{e}_attempt({e}, attempt_key)"),
        ),
    ),
    Fault(
        "Accept {e} tokens within the allowed clock skew",
        "Hosts drift by seconds; a fresh signature was refused as not yet valid.",
        "people get thrown out right after opening a brand-new {s}",
        (
            let("earliest_{e}", "{e}.issued_at - CLOCK_SKEW_SECONDS"),
            leave("current_time() < earliest_{e}", "NONE"),
        ),
    ),
    Fault(
        "Include the upper bound of each {e} page",
        "The range was half open, so every batch dropped its final row.",
        "one {s} is missing at the end of the list whenever many are exported",
        (let("last_{e}_row", "first_row + page_size + 1"), do("check_{e}_range(first_row, last_{e}_row)")),
    ),
    Fault(
        "Round {e} amounts half to even",
        "Binary floats drifted once the sums grew, and reconciliation rejected them.",
        "{s} totals are off by a penny from what the accountant calculates",
        (let("exact_{e}_amount", "round_half_even({e}.amount, MINOR_UNITS)"),),
    ),
    Fault(
        "Take the row lock before reading the {e} counter",
        "Two workers read equal values and both stored the successor: a race condition.",
        "{s} numbers are given out double when the system is busy",
        (
            do("lock_{e}_row({e}.id, FOR_UPDATE)"),
            let("next_{e}_number", "read_{e}_counter({e}.region) + 1"),
        ),
    ),
    Fault(
        "Close the cursor of {e} scans on errors",
        "Handles leaked until the pool was exhausted by failed queries.",
        "after a while there are no database connections left for a {s}",
        (do("defer_{e}_close({e}.cursor)"), leave("{e}.cursor_failed", "NONE")),
    ),
    Fault(
        "Decode {e} names as UTF-8 with replacement",
        "A stray byte in a legacy file crashed the import halfway.",
        "umlauts in a {s} make the whole upload stop",
        (let("readable_{e}_name", "decode_utf8_lossy({e}.raw_name)"),),
    ),
    Fault(
        "Compare {e} deadlines in UTC",
        "Local midnight moved with daylight saving and shifted the cut-off by sixty minutes.",
        "twice a year a {s} expires an hour too early",
        (let("{e}_deadline_utc", "to_utc({e}.deadline)"), leave("now_utc() > {e}_deadline_utc", "NONE")),
    ),
    Fault(
        "Guard against a missing address on {e}",
        "Guest checkouts carry none; the mapper dereferenced it and crashed.",
        "screen blows up on a {s} from visitors who have not registered",
        (leave("{e}.address == NONE", "empty_{e}_address()"),),
    ),
    Fault(
        "Refuse parent segments in {e} attachment paths",
        "A crafted archive entry escaped the storage folder (path traversal).",
        "can somebody overwrite things on our server through a {s} with dots in its name",
        (leave("has_parent_segment({e}.attachment)", "reject_{e}_path({e}.attachment)"),),
        is_security=True,
    ),
    Fault(
        "Bind {e} filters as parameters",
        "String concatenation let a quote end the statement: an injection vulnerability.",
        "is it possible to smuggle database commands in by way of the {s} search box",
        (let("bound_{e}_filter", "bind_parameter({e}.filter)"),),
        is_security=True,
    ),
    Fault(
        "Widen the {e} byte counter to 64 bits",
        "An integer overflow wrapped large transfers around to negative numbers.",
        "the size of a huge {s} shows up below zero",
        (let("wide_{e}_bytes", "widen_to_64({e}.byte_count)"),),
    ),
    Fault(
        "Drop the cached {e} after each write",
        "Readers kept getting the stale copy for the whole ttl.",
        "I edited a {s} and still see its old version minutes afterwards",
        (do("forget_cached_{e}({e}.id)"), do("announce_{e}_change({e}.id)")),
    ),
    Fault(
        "Bound the wait for the {e} upstream",
        "A hung peer blocked the event loop for ever.",
        "everything freezes when the partner service of a {s} does not answer",
        (
            let("{e}_wait_ms", "min_of({e}.patience_ms, UPSTREAM_LIMIT_MS)"),
            do("arm_{e}_timer({e}_wait_ms)"),
        ),
    ),
    Fault(
        "Sort {e} events by sequence instead of arrival",
        "Brokers redeliver out of turn, which undid newer states.",
        "a {s} jumps back to a former status all by itself",
        (leave("{e}.sequence <= seen_{e}_sequence({e}.id)", "NONE"),),
    ),
    Fault(
        "Stop at {e} parents that point at themselves",
        "A cycle in the tree made an infinite loop.",
        "worker spins at full cpu because a {s} contains its own ancestor",
        (leave("was_{e}_visited({e}.parent)", "NONE"), do("mark_{e}_visited({e}.id)")),
    ),
)
_TRIALS = (
    Trial(
        "Batch {e} inserts in one transaction",
        "One bad row rolled the whole night back and support had to replay it by hand.",
        "why do we write every {s} on its own rather than all together",
        ("do", "insert_{e}_in_batch({e}, BATCH_ROWS)"),
    ),
    Trial(
        "Keep {e} lookups in process memory",
        "Nodes disagreed for hours since nothing told them to forget.",
        "did somebody already put the {s} search results into a local cache",
        ("let", "known_{e}", "process_memory_of_{e}({e}.id)"),
    ),
    Trial(
        "Compress {e} payloads with zstd",
        "Older mobile apps cannot unpack it and showed blank screens.",
        "has shrinking what we send for a {s} been attempted",
        ("let", "packed_{e}", "zstd_pack({e}.payload)"),
    ),
    Trial(
        "Poll {e} status every second",
        "The vendor throttled our account within a day.",
        "could we ask more often how far a {s} is",
        ("do", "poll_{e}_status({e}.id, EVERY_SECOND)"),
    ),
)
_FEATURES = (
    "Add {q} to {e} {p}",
    "Support {q} when {v} {e}",
    "feat({a}): {q} for {e}",
    "Let {e} {p} carry {q}",
    "Expose {q} of {e} to the console",
)

DEVELOPMENT = Split(
    "dev",
    11,
    ("billing", "delivery", "identity", "storefront"),
    _ENTITIES,
    _FAULTS,
    _TRIALS,
    _FEATURES,
)
