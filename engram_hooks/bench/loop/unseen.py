"""A made-up project of other words: nothing is tuned to it."""

from __future__ import annotations

from engram_hooks.bench.loop.words import Deck, Facet

UNSEEN = Deck(
    areas=(
        *("telemetry", "roster", "dispatch", "tariff", "geocoder"),
        *("ledger", "thumbnails", "chat", "subtitles", "kiosk"),
    ),
    facets=(
        Facet(
            "running more workers in parallel",
            "No more than {v} {a} workers at once, the broker drops the rest",
            (
                "run the {a} workers in parallel",
                "how many {a} workers may run?",
                "{a} is slow, start more workers",
            ),
            "workers={v}",
            ("14", "22", "37", "41", "18", "26", "33", "47", "52", "29"),
        ),
        Facet(
            "reading and wiring credentials",
            "Credentials of {a} come out of {v}, not from the environment",
            (
                "{a} needs its credentials, wire them in",
                "where does {a} get its password from?",
                "read the credentials for {a}",
            ),
            'read_from("{v}")',
            (
                *("vaultline", "keyring-eu", "sopsbox", "sealed-north", "tokenmint"),
                *("latchbox", "cipherdesk", "pinsafe", "lockfold", "doorkey-2"),
            ),
        ),
        Facet(
            "how a list is paged",
            "{a} lists are paged with {v}, offsets miss rows",
            (
                "page through the {a} list",
                "the {a} list loads everything, paginate it",
                "how is paging done for {a}?",
            ),
            "next_page({v})",
            (
                *("seek_mark", "after_key", "row_cursor", "page_seal", "tail_ref"),
                *("scroll_tag", "keyset_at", "leaf_mark", "stop_key", "turn_ref"),
            ),
        ),
        Facet(
            "rounding amounts by a cent",
            "{a} amounts are rounded by {v}, auditors compare them",
            (
                "{a} amounts are a cent off",
                "round the {a} amounts",
                "which rounding do {a} amounts use?",
            ),
            "{v}(amount)",
            (
                *("half_even", "bankers_2", "ceil_cent", "trunc_mil", "swedish_5"),
                *("floor_tick", "round_pip", "half_away", "cash_round", "snap_dime"),
            ),
        ),
        Facet(
            "colours and drawing of a chart",
            "{a} charts are drawn in the palette {v}, for the colour-blind",
            (
                "draw a chart of the {a} figures",
                "pick colours for the {a} chart",
                "the {a} chart is hard to read",
            ),
            'palette("{v}")',
            (
                *("okabe", "viridia", "cividor", "tolbright", "magmalite"),
                *("duskrange", "paired-9", "inkset", "slatefive", "plumscale"),
            ),
        ),
        Facet(
            "releasing and shipping a build",
            "{a} ships with {v} only, hand-made builds lack the symbols",
            (
                "ship the new {a} build",
                "how do we release {a}?",
                "release {a} to the stores",
            ),
            "{v} publish",
            (
                *("fastlane-a", "railcar", "shipwright", "cratepush", "slipway"),
                *("tugboat-ci", "docklift", "packmule", "freighter", "pontoon"),
            ),
        ),
        Facet(
            "sending events that get lost",
            "Events of {a} travel on {v}, the default queue is lossy",
            (
                "send an event when {a} changes",
                "publish the {a} events",
                "{a} events get lost",
            ),
            'emit("{v}", event)',
            (
                *("q.tern", "q.gull", "q.skua", "q.auk", "q.petrel"),
                *("q.plover", "q.dunlin", "q.avocet", "q.godwit", "q.knot"),
            ),
        ),
        Facet(
            "cleaning old, stale rows out of a table",
            "Old {a} rows are swept by {v}, deletes in requests lock up",
            (
                "delete old {a} rows",
                "the {a} table grows and grows, clean it up",
                "how are stale {a} rows removed?",
            ),
            "schedule({v})",
            (
                *("nightbroom", "rowsweep", "mopjob", "stale_purge", "dustpan"),
                *("reaper_7", "leafblow", "attic_run", "raker", "moonsweep"),
            ),
        ),
        Facet(
            "finding and comparing names",
            "Names in {a} are compared through {v}, so that accents match",
            (
                "searching a name in {a} misses accents",
                "compare names in {a}",
                "find {a} entries by name",
            ),
            "{v}(name)",
            (
                *("fold_name", "plain_key", "uca_key", "bare_name", "simplify_n"),
                *("ascii_twin", "name_seed", "flatkey", "lowfold", "casefree"),
            ),
        ),
    ),
    empty=(
        "A wiki page has thoughts on {topics} for {areas}",
        "{topics} in {areas}: asked about on the phone in spring",
        "The newcomers were told of {areas}: of {topics}",
        "{areas} share a calendar for {topics}",
        "A poll on {topics} for {areas} had nine votes",
    ),
    said=(
        "Done: the view reads the new field, and the fixture has it, too.",
        "I traced it to the adapter; it swallowed the error and went on.",
        "Both code paths go through one function from here on.",
        "The type was too wide, so the compiler could not help; it is narrow now.",
        "I renamed the argument, adjusted the calls and reran what touches it.",
        "The page kept an old copy; it asks again when it is opened.",
        "The spreadsheet import is untouched, only the header row is read anew.",
        "Nothing else depends on it, I searched the tree for its name.",
    ),
    code=(
        "const next = state.items.slice()",
        "return view(model)",
        "if (!found) return null",
        "await save(draft)",
        "let total = sum(parts)",
        "open(path).read()",
    ),
    late=", done with {v} each time",
    late_value="orchard-bridge",
)
