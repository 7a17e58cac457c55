"""Other forms of a word, and other words for a matter of software work: where a prompt and a record share no word.

A line is a matter; a word may stand in several. General vocabulary only: nothing of one project or trade.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # (the words of a prompt that stand for a matter, the other words of that matter with their stems)
    Topic = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]

ALIKE = 0.9
_UNSPACED = "\u0e00"  # from here on: Thai, Chinese, Japanese, Korean, and what stands between them
_SUFFIXES = frozenset(
    (
        *("", "s", "es", "ed", "d", "e", "ing", "er", "ers", "r", "rs", "ly", "n"),
        *("y", "ies", "ied", "ys", "yed", "ying", "yer", "yers"),
    )
)
_DOUBLING = frozenset(("ed", "er", "ers", "ing"))
_ENDINGS = ("ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y")
_LAST_LETTERS = "sgdrey"
_MIN_CHARS, _MIN_STEM_CHARS = 5, 4
_MAX_TRIES = 6

MAX_TOPICS = 16
_MATTERS = """
 duplicate twice double repeat redeliver idempotent idempotency dedupe deduplicate retry
 timezone zone utc gmt offset dst daylight hour clock local timestamp datetime
 slow performance latency jank janky lag heavy expensive timeout hang stutter throughput virtualise virtualize
 memory ram oom heap leak swap exhaust gb
 crash kill die exit segfault panic core dump abort
 database db sql postgres postgresql mysql mariadb sqlite mongo mongodb oracle schema table query
 migration migrate backfill alter schema ddl flyway alembic liquibase goose
 analytics report warehouse statistics dashboard aggregate olap replica bigquery clickhouse metabase
 delete erase remove purge retention scrub anonymise anonymize gdpr personal privacy expire wipe
 deploy release rollout ship production prod promote live publish
 rollback revert undo previous downgrade restore
 weekend friday holiday freeze evening night window
 dependency dependencies package library lib npm pip third-party vendor
 install setup bootstrap onboarding prerequisite
 bundle size gzip minify kb heavy weight
 icon sprite lucide fontawesome symbol glyph svg pictogram
 test spec pytest jest vitest junit rspec assertion suite
 flaky intermittent random sometimes nondeterministic unstable
 mock fake stub cassette simulator emulator replay double sandbox
 sleep wait clock time freeze timer
 laptop mac macos apple silicon m1 m2 m3 m4 arm arm64 x86
 windows powershell wsl path backslash crlf
 import importerror modulenotfound modulenotfounderror bytecode pycache
 port proxy localhost refuse connection
 cache stale invalidate ttl cdn redis memcached valkey evict
 auth authentication login sign-in signin sign-on sso oauth oidc password credential passkey session jwt
 permission role authorization access allow forbid forbidden acl rbac admin
 secret token key credential vault env environment ssm parameter keychain
 throttle rate limit quota 429 backoff
 webhook callback signature hmac sign payload
 error exception failure fault problem
 endpoint route api rest graphql grpc handler
 pagination page listing cursor offset infinite
 deprecate sunset legacy obsolete v1 old
 patch put partial merge update
 csrf cookie samesite embed iframe cors safari
 money amount price cent currency minor decimal total
 refund money charge payment pay stripe paypal billing invoice checkout
 subscription plan free tier overage trial paywall
 tax vat gst invoice
 email mail smtp sendgrid mailer newsletter
 notification notify push alert toast
 queue worker background job celery sidekiq broker consumer rabbitmq sqs kafka nats
 schedule cron nightly periodic beat recurring
 transaction commit rollback outbox atomic isolation
 lock advisory concurrent concurrency race mutex simultaneous parallel deadlock
 pool pgbouncer connection exhaust
 order sequence late arrive reorder
 log logging trace tracing telemetry observability
 pager pagerduty opsgenie on-call oncall incident outage runbook page
 backup dump restore snapshot recovery
 flag toggle hide experiment rollout gradual
 form validation validate zod yup input field
 store redux zustand pinia mobx global state tanstack
 styling style css tailwind scss sass token theme
 colour color palette contrast dark brightness theme
 chart graph plot line histogram visualisation
 map tile mapbox leaflet geo geometry geospatial gis coordinate position location
 grid table row list scroll virtualise virtualize
 mobile touch tap finger phone tablet android ios
 accessibility a11y screenreader aria keyboard
 translation i18n l10n locale language gettext
 review reviewer diff pull pr merge
 comment docstring docs documentation readme
 permission ask approval consent confirm
 legal terms privacy licence license compliance policy
 unit gram kilogram metre meter feet mile inch celsius factor convert conversion
 round rounding precision decimal exact float
 status lifecycle transition state machine
 seed fixture sample demo dummy factory
 compile build generate codegen protobuf transpile
 ci pipeline actions workflow jenkins buildkite circleci
 container docker compose image kubernetes k8s pod nomad ecs fargate
 shutdown drain graceful sigterm terminate kill
 search elasticsearch opensearch solr typesense fulltext ranking
 upload storage s3 bucket blob attachment file
 pdf print printer render font
 csv export spreadsheet excel xlsx import
 naming convention prefix name casing
 id uuid ulid identifier primary key
 soft-delete archive tombstone trash deleted
 bug defect fix regression reproduce
 address postcode zip street country
 customer client merchant shopper buyer subscriber tenant
 framework react vue svelte angular next nuxt
 typescript javascript type any strict
 encrypt encryption tls ssl certificate https cert
 model training inference embedding checkpoint weights gpu cuda
 dataset data split label annotation
 thread async await coroutine goroutine blocking
 config configuration setting env yaml toml
 monorepo workspace package lerna turborepo nx
 branch merge rebase squash trunk
 version tag semver changelog release
 image photo picture thumbnail resize webp
 video audio stream codec ffmpeg
 network offline connectivity sync retry
 websocket socket realtime sse live polling
 hash digest checksum sha256 bcrypt argon2
 null none nil undefined missing empty
 overflow underflow truncate int64 bigint
 unicode utf-8 utf8 encoding charset emoji
 regex regexp pattern parse parser
 sandbox staging environment preview
 domain dns subdomain nginx caddy ingress
 cost bill budget expensive cheap
 shader texture sprite render frame fps physics
 hook lifecycle mount remount unmount effect
 event listener subscribe emit publish
 feed rss import sync integration
 spinner loading skeleton indicator progress wait
 z-index stacking overlay behind layer
 modal dialog popup drawer keyboard escape focus
 sound audio mute volume speaker
 spam spf dkim dmarc deliverability
 blurry resolution retina dpi sharp
 booking reservation seat availability overbook
 logout idle inactivity session expire
 sluggish debounce keystroke typing validator
 scrape crawler robots bot abuse
 history rewrite force-push rebase
 onboarding newcomer colleague contributing
 terraform pulumi ansible infrastructure provision cloud aws gcp azure
 cold warm startup serverless lambda
 umlaut accent diacritic normalise normalize
 artifact filename build output
 java jdk jvm gradle maven kotlin
 adr rationale decision design
 contrast bright glare night dark
 account user profile member
 erase account leave closed delete
 quota credit usage metered
 shell ssh exec attach console
 format prettier formatter lint semicolon gofmt black
 english british spelling wording tone
 size small limit maximum budget
 wake sleep quiet night page alert
 browser firefox chrome chromium webkit
 vendor supplier partner third-party
 feature module component plugin extension
 read-only readonly frozen locked
 stale outdated yesterday old cached
 backfill batch bulk
 fast quick subset smoke
 rename move alias redirect
"""


def find_topics(terms: Sequence[str]) -> list[Topic]:
    """The matters that words of a prompt stand for, in a fixed order; at most `MAX_TOPICS`."""
    found: dict[int, list[str]] = {}
    for term in terms:
        stem = stem_of(term)
        at = _MATTERS.find(" " + stem) if len(stem) > 1 else -1
        while at >= 0:
            end = at + 1 + len(stem)
            if is_ending(_MATTERS[end : _word_end(end)], stem):
                own = found.setdefault(_MATTERS.rfind("\n", 0, at), [])
                if term not in own:
                    own.append(term)
            at = _MATTERS.find(" " + stem, end)
    return [(tuple(found[line]), _others_of(line, found[line])) for line in sorted(found)[:MAX_TOPICS]]


def _others_of(line: int, own: list[str]) -> tuple[tuple[str, str], ...]:
    own_stems = [stem_of(term) for term in own]
    words = _MATTERS[line + 1 : _MATTERS.index("\n", line + 1)].split()
    pairs = [(word, stem_of(word)) for word in words]
    return tuple(pair for pair in pairs if pair[1] not in own_stems)


def _word_end(at: int) -> int:
    while not _MATTERS[at].isspace():
        at += 1
    return at


def stem_of(term: str) -> str:
    """A prefix that the other forms of a word share; names, numbers and short words stay whole."""
    if not term.isalpha() or len(term) < _MIN_CHARS:
        return term
    if not term.isascii():
        return term[:-2] if len(term) > _MIN_CHARS else term
    if term[-1] not in _LAST_LETTERS:
        return term
    for ending in _ENDINGS:
        if term.endswith(ending) and len(term) - len(ending) >= _MIN_STEM_CHARS:
            stem = term[: -len(ending)]
            is_doubled = ending in _DOUBLING and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if is_doubled else stem
    return term


def is_ending(rest: str, stem: str = "") -> bool:
    """Whether what follows a stem makes it another form of the same word: also `ped` behind `stop`."""
    return rest in _SUFFIXES or (rest[:1] == stem[-1:] != "" and rest[1:] in _DOUBLING)


def find_words(text: str, lower: str, stems: Iterable[tuple[str, str]]) -> list[tuple[str, float, int]]:
    """(term, how well it fits, position) for every (term, its stem) that the text holds as a word.

    `lower` is the text in lower case; it fits with 1.0 where the word is the same, a little less in another form.
    """
    found = []
    for term, stem in stems:
        at = lower.find(stem)
        tries = _MAX_TRIES
        while at >= 0 and tries:
            fit = _fits(text, lower, at, term=term, stem=stem)
            if fit:
                found.append((term, fit, at))
                break
            at = lower.find(stem, at + 1)
            tries -= 1
    return found


def _joins(char: str) -> bool:
    """Whether a character beside a word makes it part of a longer one; in scripts without spaces none does."""
    return char.isalnum() and char < _UNSPACED


def _fits(text: str, lower: str, at: int, *, term: str, stem: str) -> float:
    """How well a word is the term: 1 the same, a little less in another form, 0 another word."""
    if not stem.isascii() and len(stem) <= 2:
        return 1.0  # a pair of a script without spaces
    if at and _joins(lower[at - 1]) and not (text[at].isupper() and not text[at - 1].isupper()):
        return 0.0
    end = at + len(stem)
    if stem == term and not _joins(lower[end : end + 1]):
        return 1.0
    stop = end
    while stop < len(lower) and stop - end < 5 and _joins(lower[stop]):
        if text[stop].isupper() and not text[stop - 1].isupper():
            break
        stop += 1
    if lower[at:stop] == term:
        return 1.0
    if stem == term and not term.isalpha():
        return 1.0 if stop == end else 0.0
    rest = lower[end:stop]
    return ALIKE if is_ending(rest, stem) or (not stem.isascii() and len(rest) < 5) else 0.0
