"""What tokens of known issuers look like: the fixed start, the characters that follow and how many."""

from __future__ import annotations

from engram_hooks.guard.shapes import ALNUM, BASE64, DOTTED, HEX, LOWER, UPPER, URL64

# A line: the characters that may follow (a set of ours, more of them behind a plus), the least number of them, the
# most, starts. A start of five or more characters says enough; what follows a shorter one must also look random.
_FAMILIES = """
    # code hosts and package registries
    alnum 20 - ghp_ gho_ ghu_ ghs_ ghr_ npm_ waka_ sgp_
    url64 20 - github_pat_ gitpod_pat_ dckr_pat_ dckr_oat_ pypi- HRKU- CFPAT- depot_ ATBB ATATT3x ATCTT3x
    url64 20 - ATSTT3x
    dotted 18 - glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-
    dotted 18 - GR1348941
    lower+0123456789 43 43 oy2
    hex 48 48 rubygems_
    alnum 32 32 cio
    alnum 24 - CLOJARS_ AKCp cmVmdGtu
    # clouds and hosting
    upper 16 16 AKIA ASIA ABIA ACCA
    base64+_- 24 - ABSK bedrock-api-key-
    url64 35 35 AIza
    dotted 24 - ya29. GOCSPX- 1//0 1//1 t1. y0_ y1_ y2_ y3_
    alnum 12 30 LTAI AKID AQVN
    url64 20 - dop_v1_ doo_v1_ dor_v1_ nfp_ vcp_ vci_ vca_ vcr_ vck_ rnd_ fo1_ cfut_ cfat_ napi_ tk-us- e2b_
    url64 20 - pul-
    base64+_- 24 - fm1r_ fm1a_ fm2_ v1.0- sha256~
    alnum 24 - dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.
    url64 20 - pscale_tkn_ pscale_pw_ pscale_oauth_ sbp_ sb_secret_ mdb_sa_sk_ hvs. hvb. hvr. tskey- ops_
    url64 20 - dapi
    base64+_- 16 - SWMTKN-1- SWMKEY-1- .atlasv1.
    # models
    url64 16 - sk-ant- sk-proj- sk-or- sk-svcacct- sk-admin- sk-None- sk-lf- nvapi- pplx- tvly- pcsk_
    url64 16 - esecret_ tgp_v1_
    url64 20 - hf_ api_org_ gsk_ xai- r8_ csk- fc- fw_ pa- jina_ lsv2_pt_ lsv2_sk_ apify_api_ sk-
    # payments and shops
    alnum 16 - sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rzp_live_ rzp_test_ EZAK EZTK
    url64 16 - shippo_live_ shippo_test_ FLWSECK- FLWSECK_ duffel_live_ duffel_test_ pdl_live_ pdl_sdbx_
    url64 16 - cal_live_
    url64 20 - shpat_ shpss_ shpca_ shppa_ shpua_ sq0atp- sq0csp- sandbox-sq0csb- EAAA EAAl EAAE
    url64+$ 16 - access_token$production$ access_token$sandbox$ access-sandbox- access-production-
    url64+$ 16 - access-development-
    base64+_- 24 - whsec_ svix_sk_ signkey-prod- signkey-test-
    alnum 30 - live_ test_ pk_
    # mail, chat, people
    dotted 60 75 SG.
    url64 20 - xkeysib- xsmtpsib- mlsn. re_
    hex 32 32 key- SK
    url64+%. 16 - xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe. xapp- xwfp- mfa.
    alnum 80 - EAA IGQV
    url64 20 - RGAPI- tfp_ secret-v1- fio-u- s-s4t2ud- s-s4t2af- p8e-
    # work, data, watching
    alnum 20 - lin_api_ lin_oauth_ ntn_ rdme_ pnu_ pnb_
    alnum 40 50 secret_
    url64 20 - figd_ figo_ PMAK- NRAK- NRII- NRAA- NRRA- NRSP- glc_ glsa_ phx_ phs_ snyk_ pat-na1- pat-eu1-
    url64 20 - unkey_ ico-
    base64+_- 20 - sntryu_ sntrys_ dt0c01. dt0s01. dt0s16. hawk.
    url64 20 - bkua_ bkct_ bkpt_ CCIPAT_ CCIPRJ_ sqp_ sqa_ squ_ hcaik_ hcbik_ tr_prod_ tr_dev_ sl.
    dotted 60 - pat sk.ey tk.ey
    upper 26 - API-
    hex+- 36 36 sdk-
    hex 48 48 sk_
    # keys that carry no wrapping of their own
    upper 50 - AGE-SECRET-KEY-1
    lower+0123456789 58 58 nsec1
    alnum 100 112 xprv tprv yprv zprv
    base64 60 - LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBFQyBQUklWQVRF
    base64 60 - LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS
"""
_SETS = {
    "alnum": ALNUM,
    "base64": BASE64,
    "dotted": DOTTED,
    "hex": HEX,
    "lower": LOWER,
    "upper": UPPER,
    "url64": URL64,
}


def _read_families() -> tuple[tuple[str, str, int, int], ...]:
    found: list[tuple[str, str, int, int]] = []
    for line in _FAMILIES.split("\n"):
        words = line.split()
        if not words or words[0] == "#":
            continue
        name, _, more = words[0].partition("+")
        most = 0 if words[2] == "-" else int(words[2])
        found += [(start, _SETS[name] + more, int(words[1]), most) for start in words[3:]]
    return tuple(found)


# (start, characters that may follow, least number of them, most of them or 0)
ISSUERS: tuple[tuple[str, str, int, int], ...] = _read_families()
