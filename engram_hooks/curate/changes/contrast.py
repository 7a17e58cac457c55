"""Words that keep two subjects apart however alike they are: staging and production, reads and writes."""

from __future__ import annotations

from collections.abc import Sequence

from engram_hooks.curate.changes.claims import Claim
from engram_hooks.curate.changes.words import stem_word

# words of one line stand for different things; slashes part other words for the same one
_CONTRASTS = """
staging/preview production/prod/live development/dev/local test/tests/testing/ci qa sandbox canary demo
frontend/ui/web/website/browser backend/server/api mobile/app desktop cli worker/workers/jobs bot library/sdk admin
ios/iphone android web macos windows linux
read/reads/reader write/writes/writer
upload/uploads/uploaded download/downloads/downloaded
import/imports/importer export/exports/exporter
unit integration e2e/end-to-end/acceptance load/performance smoke contract visual
internal/private external/public/partner/partners
input/inbound/incoming/ingress output/outbound/outgoing/egress
minimum/min/lower maximum/max/upper average
request/requests response/responses
primary/leader/main/master standby/replica/follower/secondary
access refresh session id signing api encryption
hourly daily/nightly weekly monthly yearly/annual
customer/customers/buyer/buyers supplier/suppliers/seller/sellers employee/employees/staff
connect read write idle request
major minor patch
parser/parse lexer/lex printer/print
log/logs trace/traces metric/metrics event/events
master/slave replica
development/develop release hotfix feature
sender receiver
create/insert update/edit delete/removal
invoice/invoices receipt/receipts quote/quotes order/orders refund/refunds
header body footer
encode/encoding/encoder decode/decoding/decoder
client server
cpu memory disk gpu network
red green blue
"""


def _read_lines() -> tuple[dict[str, str], ...]:
    lines = []
    for line in _CONTRASTS.split("\n"):
        groups = [group.split("/") for group in line.split()]
        lines.append({stem_word(word): group[0] for group in groups for word in group})
    return tuple(line for line in lines if line)


_LINES = _read_lines()


def is_contrast(
    new: Sequence[Claim], old: Sequence[Claim], *, left_out: frozenset[str] = frozenset()
) -> bool:
    """Whether two texts speak of things that are known to be different; `left_out` are stems of values."""
    mine, theirs = ({stem for claim in claims for stem in _stems(claim)} - left_out for claims in (new, old))
    for line in _LINES:
        own, other = (
            {line[stem] for stem in mine if stem in line},
            {line[stem] for stem in theirs if stem in line},
        )
        if own and other and not own & other:
            return True
    return False


def _stems(claim: Claim) -> list[str]:
    return [stem_word(word) for word in claim.words if word]
