"""What tokens of known issuers look like: the fixed start, the characters that follow and how many."""

from __future__ import annotations

from engram_hooks.guard.shapes import ALNUM, BASE64, DIGITS, DOTTED, HEX, LOWER, UPPER, URL64

# (characters that may follow, least number of them, most of them (0: any), starts).
# A start of five or more characters says enough; what follows a shorter one must also look random.
_FAMILIES = (
    # code hosts and package registries
    (ALNUM, 20, 0, "ghp_ gho_ ghu_ ghs_ ghr_ npm_ waka_ sgp_"),
    (
        URL64,
        20,
        0,
        "github_pat_ gitpod_pat_ dckr_pat_ dckr_oat_ pypi- HRKU- CFPAT- depot_ ATBB ATATT3x ATCTT3x ATSTT3x",
    ),
    (
        DOTTED,
        18,
        0,
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- GR1348941",
    ),
    (LOWER + DIGITS, 43, 43, "oy2"),
    (HEX, 48, 48, "rubygems_"),
    (ALNUM, 32, 32, "cio"),
    (ALNUM, 24, 0, "CLOJARS_ AKCp cmVmdGtu"),
    # clouds and hosting
    (UPPER, 16, 16, "AKIA ASIA ABIA ACCA"),
    (BASE64 + "_-", 24, 0, "ABSK bedrock-api-key-"),
    (URL64, 35, 35, "AIza"),
    (DOTTED, 24, 0, "ya29. GOCSPX- 1//0 1//1 t1. y0_ y1_ y2_ y3_"),
    (ALNUM, 12, 30, "LTAI AKID AQVN"),
    (
        URL64,
        20,
        0,
        "dop_v1_ doo_v1_ dor_v1_ nfp_ vcp_ vci_ vca_ vcr_ vck_ rnd_ fo1_ cfut_ cfat_ napi_ tk-us- e2b_ pul-",
    ),
    (BASE64 + "_-", 24, 0, "fm1r_ fm1a_ fm2_ v1.0- sha256~"),
    (ALNUM, 24, 0, "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit."),
    (
        URL64,
        20,
        0,
        "pscale_tkn_ pscale_pw_ pscale_oauth_ sbp_ sb_secret_ mdb_sa_sk_ hvs. hvb. hvr. tskey- ops_ dapi",
    ),
    (BASE64 + "_-", 16, 0, "SWMTKN-1- SWMKEY-1- .atlasv1."),
    # models
    (
        URL64,
        16,
        0,
        "sk-ant- sk-proj- sk-or- sk-svcacct- sk-admin- sk-None- sk-lf- nvapi- pplx- tvly- pcsk_ esecret_ tgp_v1_",
    ),
    (URL64, 20, 0, "hf_ api_org_ gsk_ xai- r8_ csk- fc- fw_ pa- jina_ lsv2_pt_ lsv2_sk_ apify_api_ sk-"),
    # payments and shops
    (ALNUM, 16, 0, "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rzp_live_ rzp_test_ EZAK EZTK"),
    (
        URL64,
        16,
        0,
        "shippo_live_ shippo_test_ FLWSECK- FLWSECK_ duffel_live_ duffel_test_ pdl_live_ pdl_sdbx_ cal_live_",
    ),
    (URL64, 20, 0, "shpat_ shpss_ shpca_ shppa_ shpua_ sq0atp- sq0csp- sandbox-sq0csb- EAAA EAAl EAAE"),
    (
        URL64 + "$",
        16,
        0,
        "access_token$production$ access_token$sandbox$ access-sandbox- access-production- access-development-",
    ),
    (BASE64 + "_-", 24, 0, "whsec_ svix_sk_ signkey-prod- signkey-test-"),
    (ALNUM, 30, 0, "live_ test_ pk_"),
    # mail, chat, people
    (DOTTED, 60, 75, "SG."),
    (URL64, 20, 0, "xkeysib- xsmtpsib- mlsn. re_"),
    (HEX, 32, 32, "key- SK"),
    (URL64 + "%.", 16, 0, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe. xapp- xwfp- mfa."),
    (ALNUM, 80, 0, "EAA IGQV"),
    (URL64, 20, 0, "RGAPI- tfp_ secret-v1- fio-u- s-s4t2ud- s-s4t2af- p8e-"),
    # work, data, watching
    (ALNUM, 20, 0, "lin_api_ lin_oauth_ ntn_ rdme_ pnu_ pnb_"),
    (ALNUM, 40, 50, "secret_"),
    (
        URL64,
        20,
        0,
        "figd_ figo_ PMAK- NRAK- NRII- NRAA- NRRA- NRSP- glc_ glsa_ phx_ phs_ snyk_ pat-na1- pat-eu1- unkey_ ico-",
    ),
    (BASE64 + "_-", 20, 0, "sntryu_ sntrys_ dt0c01. dt0s01. dt0s16. hawk."),
    (URL64, 20, 0, "bkua_ bkct_ bkpt_ CCIPAT_ CCIPRJ_ sqp_ sqa_ squ_ hcaik_ hcbik_ tr_prod_ tr_dev_ sl."),
    (DOTTED, 60, 0, "pat sk.ey tk.ey"),
    (UPPER, 26, 0, "API-"),
    (HEX + "-", 36, 36, "sdk-"),
    (HEX, 48, 48, "sk_"),
    # keys that carry no wrapping of their own
    (UPPER, 50, 0, "AGE-SECRET-KEY-1"),
    (LOWER + DIGITS, 58, 58, "nsec1"),
    (ALNUM, 100, 112, "xprv tprv yprv zprv"),
    (BASE64, 60, 0, "LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBFQyBQUklWQVRF"),
    (BASE64, 60, 0, "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS"),
)


ISSUERS: tuple[tuple[str, str, int, int], ...] = tuple(
    (start, chars, least, most) for chars, least, most, starts in _FAMILIES for start in starts.split()
)
