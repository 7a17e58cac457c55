"""The made-up project that thresholds may be looked at on."""

from __future__ import annotations

from engram_hooks.bench.loop.words import Deck, Facet

DEVELOPMENT = Deck(
    areas=(
        *("checkout", "invoice", "search", "login", "upload"),
        *("mailer", "scheduler", "export", "webhook", "inventory"),
    ),
    facets=(
        Facet(
            "which timeout calls get",
            "{a} calls give up after {v} ms, longer ones starve the pool",
            (
                "the {a} calls hang forever, give them a timeout",
                "which timeout do {a} calls get?",
                "add a timeout to the {a} client",
            ),
            "timeout_ms = {v}",
            ("850", "1200", "2750", "4100", "640", "1900", "3300", "5200", "720", "2450"),
        ),
        Facet(
            "how to retry jobs",
            "{a} jobs are retried through {v}, never in a loop of their own",
            (
                "retry {a} jobs when the network drops",
                "the {a} job fails now and then, make it retry",
                "how are retries of {a} jobs done here?",
            ),
            "{v}.run(job)",
            (
                *("RetryLadder", "BackoffQueue", "SecondTry", "CalmRetry", "RetryDeck"),
                *("AgainLater", "RetryHarbor", "StepBack", "RetryLoom", "SlowAgain"),
            ),
        ),
        Facet(
            "a cache for results",
            "{a} results are cached in {v} with the tenant in the key",
            (
                "cache the {a} results",
                "the {a} page recomputes everything, can we cache it?",
                "where would a cache for {a} go?",
            ),
            "{v}.put(tenant, result)",
            (
                *("warm_shelf", "tenant_tray", "quick_store", "near_cache", "flat_cache"),
                *("page_larder", "hot_rows", "memo_bank", "kept_rows", "side_shelf"),
            ),
        ),
        Facet(
            "what to log when something fails",
            "{a} failures are logged with the event {v}, dashboards count it",
            (
                "log {a} failures",
                "add logging where {a} fails",
                "what do we log when {a} fails?",
            ),
            'log.warning("{v}")',
            (
                *("chk.fail", "inv.reject", "srch.miss", "auth.deny", "upl.abort"),
                *("mail.bounce", "sched.skip", "exp.halt", "hook.drop", "stock.gap"),
            ),
        ),
        Facet(
            "how many rows a request takes",
            "{a} accepts at most {v} rows a request, more get a 413",
            (
                "limit how many rows {a} takes",
                "{a} chokes on huge requests, cap the rows",
                "what is the row limit of {a}?",
            ),
            "MAX_ROWS = {v}",
            ("240", "350", "180", "425", "560", "775", "130", "615", "290", "940"),
        ),
        Facet(
            "adding and renaming columns of a table",
            "{a} tables are changed with {v} alone, plain alter locks them",
            (
                "add a column to the {a} table",
                "write the migration for the {a} table",
                "rename a column of the {a} table",
            ),
            "{v} --table t --add c",
            (
                *("gh-ost", "pt-osc", "reshape-run", "pgroll-step", "softalter"),
                *("lhm-run", "skeema-go", "bytemig", "squawk-run", "shadowcol"),
            ),
        ),
        Facet(
            "how dates are stored",
            "{a} dates are stored as {v}, the report reads them so",
            (
                "store the date of each {a} entry",
                "in which format are {a} dates kept?",
                "{a} dates are off by one day, fix how they are stored",
            ),
            "to_{v}(day)",
            (
                *("epoch_days", "utc_noon", "iso_week", "julian_no", "day_stamp"),
                *("zulu_text", "month_idx", "date_int", "noon_ms", "civil_day"),
            ),
        ),
        Facet(
            "rolling changes out behind a flag",
            "{a} changes go behind the flag {v} until the pilot ends",
            (
                "roll the new {a} screen out slowly",
                "put the {a} change behind a flag",
                "which flag guards {a}?",
            ),
            'flags.on("{v}")',
            (
                *("ff-amber", "ff-birch", "ff-cedar", "ff-delta", "ff-ember"),
                *("ff-fjord", "ff-grove", "ff-heron", "ff-iris", "ff-jade"),
            ),
        ),
        Facet(
            "what tests run against",
            "{a} tests run against {v}, the real provider bans us",
            (
                "write a test for the {a} flow",
                "the {a} tests need the network, fix that",
                "what do {a} tests run against?",
            ),
            "with {v}() as provider:",
            (
                *("fake_till", "paper_bank", "stub_index", "toy_idp", "mem_bucket"),
                *("dry_smtp", "mock_clock", "null_sheet", "echo_sink", "sand_stock"),
            ),
        ),
    ),
    empty=(
        "{areas} were gone through once: {topics} and more",
        "Somebody wants to look at {topics} for {areas} some day",
        "{topics} came up for {areas} in the retro",
        "There is a board with cards on {topics} for {areas}",
        "The {areas} people talked about {topics} over lunch",
    ),
    said=(
        "I changed the handler and its caller, and ran the suite; everything passes.",
        "The module had two copies of this, so I kept one and removed the other.",
        "It works now. The old branch in the parser was never reached.",
        "I moved the check to the front so that the rest stays as it was.",
        "There was a wrong default in the settings; with the right one it behaves.",
        "I looked through the callers, three of them needed the same change.",
        "The cards of the list are drawn again after each change.",
        "I split the function, since half of it was only for reports.",
    ),
    code=(
        "value = payload.get(key, default)",
        "if not rows: return []",
        "for row in rows: handle(row)",
        "result = build(request)",
        "return render(page, context)",
        "items.sort(key=rank)",
    ),
    late=", all by way of {v}",
    late_value="roundhouse_gate",
)
