"""Words that tell names of things from other words, and how names are compared."""

from __future__ import annotations

# what is widely known and often written in lower case; anything else is known by its shape or its place
_TOOLS_TEXT = """
    airflow ansible apache asyncio autotools babel bash bazel biome black bun buf bundler cargo cassandra celery certbot
    clang clickhouse cmake cocoapods composer conan conda consul cron curl cypress dbt deno django docker duckdb
    elasticsearch electron emacs envoy esbuild eslint etcd express fastapi fastlane ffmpeg fish flake8 flask flutter
    flyway gcc gdb git github gitlab gradle grafana graphql grpc gunicorn haproxy helm homebrew httpx hypothesis
    istio isort java javascript jenkins jest jinja jq jupyter just k3s k8s kafka kotlin kubectl kubernetes kustomize
    latex lerna liquibase llvm lodash lua make mariadb maven memcached mercurial meson mocha mongo mongodb mongoose
    mypy mysql nats neovim nginx ninja nix node nodejs npm numpy nvm nx openssl oxlint pandas parcel perl pip pipenv
    pm2 pnpm podman poetry polars postgres postgresql powershell prettier prisma prometheus protobuf pulumi puppet
    pydantic pylint pyright pytest python pytorch qemu rabbitmq rails react redis redux requests rollup rspec ruby
    ruff rust rustc s3 sass scala selenium sentry sidekiq snowflake solr spark sqlalchemy sqlite sqlite3 ssh svelte
    svn swc swift systemd tailwind tauri tensorflow terraform terragrunt tmux tokio tox tsc turborepo typescript uv
    uvicorn vagrant valgrind vault vim vite vitest vue webpack wget yarn zig zookeeper zsh
"""
TOOLS = frozenset(_TOOLS_TEXT.split())
# of these the lower-case word is an English word as well: a name only where it is written as one
_PLAIN_TOO_TEXT = """
    apache black bash bun bundler composer conan consul electron envoy express fish flask flutter helm hypothesis java
    jest just make meson mocha ninja node parcel poetry prettier puppet rails react requests ruby rust sass snowflake
    spark swift vagrant vault yarn
"""
PLAIN_TOO = frozenset(_PLAIN_TOO_TEXT.split())
SAME = {
    "postgresql": "postgres",
    "mongo": "mongodb",
    "k8s": "kubernetes",
    "golang": "go",
    "nodejs": "node",
    "node.js": "node",
    "vue.js": "vue",
    "react.js": "react",
    "express.js": "express",
    "next": "next.js",
    "sqlite3": "sqlite",
}
# names that look like files
DOTTED_NAMES = frozenset(
    "asp.net alpine.js backbone.js chart.js d3.js discord.js ember.js express.js knockout.js moment.js next.js node.js"
    " nuxt.js p5.js react.js socket.io solid.js three.js vue.js".split()
)

# capitalised, and yet no name of a thing that software is made of
_NO_NAMES_TEXT = """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
    mondays tuesdays wednesdays thursdays fridays saturdays sundays christmas easter
    english british american german french spanish italian polish dutch russian chinese japanese korean european
    i i'm i'd i'll i've ok okay yes no none note notes todo fixme hack important warning attention caution never always
    must do not don't only all claude assistant user agent god latin q1 q2 q3 q4 eta tbd faq
    the a an this that these those we you he she it they our your his her its their my me us them who what when where
    why how which if else then there here and or but nor so as at by for from in into of off on onto out over to
    under up via with without because since while until after before during about above across along among around
    against between beyond despite except inside like near outside past per through throughout toward within every each
    any some most many few both either neither other another such same new old first second third last next
    phase step stage part section chapter version release sprint milestone appendix table figure option plan team
    add ask check decide decided done edit fix fixed keep kept lines make open please read remove rule rules see set
    show start stop tell tried try two three use used using write
    mr mrs ms dr prof sir north south east west
"""
NO_NAMES = frozenset(_NO_NAMES_TEXT.split())
# words of all capitals that are kinds of things, not things
_ACRONYMS_TEXT = """
    ACL ACID AJAX AM API APIS ASAP ASCII AST BOM CAPTCHA CD CDN CI CLI CORS CPU CRUD CSRF CSS CSV DB DBA DDL DDOS DI DIY
    DLL DMA DML DNS DOM DOS DRY DSL DTO EOF EOL ETA ETL EU EUR FAQ FIFO FK FPS FTP GB GBP GC GDPR GET GMT GPS GPU GUI
    HTML HTTP HTTPS ID IDE IDS IE IMO IO IP ISO IT JSON KB KISS KPI LAN LGTM LIFO LLM LOC LRU LTS MB MR MS MVC MVP NA
    NDA NULL OEM OK ONLY OOM OOP ORM OS OSS PATCH PC PDF PII PK PM PNG POC POST PR PRD PRS PUT QA RAM RC README REPL
    RFC ROI ROM RPC RSS RTFM RTL SAAS SDK SEO SHA SLA SLO SPA SQL SSD SSH SSL SSO SSR STDIN STDOUT SVG TBD TCP TDD
    TLS TODO TTL TXT UDP UI UK URI URL URLS US USA USB USD UTC UTF UUID UX VAT VM VMS VPC VPN WAL WAN WIP XML XSS YAGNI
    YAML YML ZIP DELETE NEVER ALWAYS MUST NOT DO DONT STOP IMPORTANT WARNING NOTE PLEASE ALL ANY NO YES FIXME HACK XXX
    ERROR WARN INFO DEBUG TRACE FATAL TRUE FALSE NONE AND OR IF THEN ELSE ON OFF IN TO BY AT FOR WITH FROM USE SELECT
    ALTER DSN INDEX SI VIEW INSERT UPDATE WHERE JOIN DROP CREATE TABLE
    KEEP BEFORE AFTER FIRST LAST EVERY ONCE READ WRITE SHOULD MAY CAN
"""
ACRONYMS = frozenset(_ACRONYMS_TEXT.split())
# two of these make a sentence German, where every noun has a capital
GERMAN = frozenset(
    "auf das dem den der ein eine für im ist mit nicht sich und von werden wir wird zum zur".split()
)
# a name that begins with one of these goes on with the next capitalised word, also where a sentence starts
VENDORS = frozenset(
    "adobe amazon apache apple aws azure cloudflare confluent digitalocean docker elastic github gitlab google"
    " hashicorp ibm intel jetbrains microsoft mozilla nvidia oracle red salesforce tanstack vercel visual".split()
)

# what a part of a system is called, behind a word that says which: `orders service`
SERVICE_HEADS = frozenset(
    "service services api server servers worker workers gateway app backend frontend daemon proxy bot job jobs pipeline"
    " engine cluster database databases db scheduler site".split()
)
PART_HEADS = frozenset("module package crate middleware plugin parser renderer".split())
# before such a head these say nothing of which one is meant
_VAGUE_TEXT = """
    new old same other whole entire first second last next single each every existing external internal current
    another main public private wrong right big small large slow fast real fake local remote own shared separate
    different dedicated central common custom simple good bad broken full empty several many few two three more such
    some any all no this that these those the a an our your my their its his her legacy upstream downstream third-party
    running dead idle given said per via and or of to in on for from with by as at is are was were be been being has
    between among across without within behind standard static dynamic generic default single-page
    have had do does did not never always only also just still yet when if then than so but because which what who
    whose where how why use uses used using run runs running start starts stop stops restart call calls keep keeps
    read write deploy deploys build test tests move moved let make makes
"""
VAGUE = frozenset(_VAGUE_TEXT.split())

# behind a dot: what makes a word a file
_EXTENSIONS_TEXT = """
    astro bash bat bazel bib bin c cc cfg clj cljs cmake conf cpp cs css csv cu cue cxx dart db diff dockerfile ejs
    elm env erb erl ex exs f90 feature fish fs fsx gd glsl go gql gradle graphql groovy h hbs hcl hpp hrl hs html hxx
    ini ino ipynb j2 java jl js json jsonl jsx kt kts less lock lua m md mdx mjs cjs ml mli mm mts nim nix patch php
    pl plist pm po proto ps1 py pyi pyx r rb rego rs rst s sass sbt scala scm scss service sh sol sql sqlite svelte sv
    swift tcl tf tfvars tex toml ts tsx txt v vb vhd vim vue wasm wgsl xml xsd yaml yml zig zsh
"""
EXTENSIONS = frozenset(_EXTENSIONS_TEXT.split())
FILE_NAMES = frozenset(
    "dockerfile makefile jenkinsfile gemfile procfile rakefile vagrantfile justfile codeowners brewfile podfile"
    " .gitignore .env .editorconfig .npmrc .nvmrc .dockerignore .gitattributes .bashrc .zshrc".split()
)
FOLDERS = frozenset(
    "src lib app apps api test tests spec docs cmd internal pkg packages include scripts tools config conf deploy ops"
    " infra backend frontend server client services modules components crates examples migrations .github".split()
)
DOMAINS = frozenset("ai app cloud co com dev io net org sh tech".split())

# in code marks, and yet nothing of this code
_KEYWORDS_TEXT = """
    true false null none nil undefined self this super return async await if else elif for while break continue try
    catch except finally raise throw import from export default const let var function class def new delete typeof
    void int str string bool boolean float double char long short byte list dict set map tuple array object any
    unknown never main master develop head origin todo fixme yes not and or in is as with yield lambda public private
    protected static final abstract interface enum struct type pass print
"""
KEYWORDS = frozenset(_KEYWORDS_TEXT.split())
# the second word of what is typed into a terminal
SUBCOMMANDS = frozenset(
    "add apply bench build check clean clone commit config deploy dev exec fetch fmt format generate get init install"
    " lint list login logs merge migrate plan publish pull push rebase reset restart run serve start status stop sync"
    " test up update upgrade".split()
)
# `@property` is no person
DECORATORS = frozenset(
    "abstractmethod app autowired bean before beforeeach cached_property classmethod click component contextmanager"
    " controller dataclass deprecated deprecation entity fixture functools here import inject injectable input link"
    " media module mock nullable objc observable output override param parametrize patch private property pytest"
    " return returns see service since staticmethod test throws todo transactional ts-expect-error ts-ignore type"
    " wraps".split()
)
# the last word of such a name says that it is code
CODE_ENDINGS = frozenset(
    "adapter builder client config context controller engine error event exception facade factory handler helper hook"
    " interface iterator job listener loader manager mapper middleware model module monitor node observer parser picker"
    " policy processor provider queue reader registry repository request resolver response router runner scheduler"
    " schema serializer server service session state store strategy table task test tests type validator view visitor"
    " widget worker writer machine".split()
)


def normalise_name(name: str) -> str:
    """How a name is compared: lower case, one spelling for well-known ones, paths without what is around them."""
    norm = " ".join(name.lower().split()).strip("`'\"@")
    norm = norm.removesuffix("()")
    if "/" in norm:
        norm = norm.removeprefix("./").rstrip("*").rstrip("/")
    return SAME.get(norm, norm)
