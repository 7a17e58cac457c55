"""The words of the split `dev`.

A subject is a line with its values, then `=` what is said first, `>` a change that names what was before, `!` a change
that does not, `?` questions.
"""

PROJECTS = """
harbour-api
lantern-web
quarry-etl
"""

SUBJECTS = """
job queue | Celery, Dramatiq, Huey, Temporal, Arq
= Background jobs run on {v}.
= {v} runs the background jobs.
> Moved background jobs from {o} to {v}: {y}.
> {v} replaces {o} for background jobs, {y}.
! Background jobs run on {v} from now on.
? which queue do our background jobs run on
? what runs background jobs here

primary database | Postgres, MySQL, CockroachDB, SQLite, MariaDB
= The primary database is {v}.
= Orders are stored in {v}, our primary database.
> Switched the primary database from {o} to {v}: {y}.
> {v} instead of {o} as primary database, {y}.
! The primary database is {v} now.
? which database do we use as the primary one
? what is the primary database

cache | Redis, Memcached, Valkey, KeyDB, Dragonfly
= Responses are cached in {v}.
= The response cache is {v}.
> The response cache moved from {o} to {v}: {y}.
> Dropped {o} for {v} as response cache, {y}.
! The response cache is {v} from today.
? where are responses cached
? what do we use for the response cache

package manager | pnpm, yarn, npm, bun
= The package manager is {v}.
= Install packages with {v}.
> Package manager: {v} instead of {o}, {y}.
> We switched from {o} to {v} for packages: {y}.
! From now on packages are installed with {v}.
? which package manager do we use
? how do I install packages in this repo

test runner | pytest, nose2, unittest, ward
= Unit tests run with {v}.
= The test runner is {v}.
> Replaced {o} by {v} as test runner: {y}.
> Unit tests moved from {o} to {v}, {y}.
! Unit tests run with {v} now.
? what do we run unit tests with
? which test runner is it

python version | Python 3.10, Python 3.11, Python 3.12, Python 3.13
= The service runs on {v}.
= {v} is the version we support.
> Upgraded the service from {o} to {v}: {y}.
> {v} instead of {o} for the service, {y}.
! The service now runs on {v}.
? which python version does the service run on
? what version of python should I install

deployment | Kubernetes, Nomad, ECS, Docker Swarm, Cloud Run
= Production is deployed on {v}.
= We deploy to {v}.
> Production moved from {o} to {v}: {y}.
> We left {o} and deploy to {v}, {y}.
! Production is deployed on {v} now.
? where is production deployed
? what do we deploy to

log format | JSON lines, logfmt, plain text, ECS JSON, GELF
= Logs are written as {v}.
= The log format is {v}.
> The log format changed from {o} to {v}: {y}.
> Logs: {v} instead of {o}, {y}.
! Logs are written as {v} from now on.
? which format are the logs written in
? what is the log format

session timeout | 15 minutes, 30 minutes, 2 hours, 8 hours, 24 hours
= Idle sessions end after {v}.
= The session timeout is {v}.
> Raised the session timeout from {o} to {v}: {y}.
> Session timeout: {v} instead of {o}, {y}.
! Idle sessions now end after {v}.
? after how long does an idle session end
? what is the session timeout

dev server port | 3000, 5173, 8080, 4321, 9000
= The dev server listens on port {v}.
= Local port of the dev server: {v}.
> The dev server moved from port {o} to port {v}: {y}.
> Dev server port is {v} instead of {o}, {y}.
! The dev server now listens on port {v}.
? which port does the dev server listen on
? what's the local port of the dev server

payment provider | Stripe, Adyen, Braintree, Mollie
= Card payments go through {v}.
= {v} is the payment provider.
> Payment provider: moved from {o} to {v}, {y}.
> Card payments switched from {o} to {v}: {y}.
! Card payments go through {v} now.
? who is our payment provider
? what do card payments go through

message format | Protobuf, Avro, MessagePack, plain JSON
= Events on the bus are encoded as {v}.
= The event encoding is {v}.
> Event encoding changed from {o} to {v}: {y}.
> Events on the bus: {v} instead of {o}, {y}.
! Events on the bus are encoded as {v} from now on.
? how are events on the bus encoded
? which encoding do bus events have

feature flags | LaunchDarkly, Unleash, Flagsmith, a flags table
= Feature flags live in {v}.
= We keep feature flags in {v}.
> Feature flags moved from {o} to {v}: {y}.
> {v} replaces {o} for feature flags, {y}.
! Feature flags live in {v} now.
? where do feature flags live
? what do we use for feature flags

retry limit | 3 attempts, 5 attempts, 8 attempts, 12 attempts
= Webhook delivery gives up after {v}.
= The retry limit of webhooks is {v}.
> The retry limit of webhooks went from {o} to {v}: {y}.
> Webhook retries: {v} instead of {o}, {y}.
! Webhook delivery now gives up after {v}.
? after how many attempts does webhook delivery give up
? what is the retry limit of webhooks

ci system | GitHub Actions, Buildkite, CircleCI, Jenkins
= CI runs on {v}.
= Our pipelines are on {v}.
> CI moved from {o} to {v}: {y}.
> We replaced {o} with {v} for CI, {y}.
! CI runs on {v} from today.
? what does CI run on
? which system runs our pipelines

error tracking | Sentry, Rollbar, Bugsnag, GlitchTip
= Errors are reported to {v}.
= Error tracking is done with {v}.
> Error tracking moved from {o} to {v}: {y}.
> {v} instead of {o} for error tracking, {y}.
! Errors are reported to {v} now.
? where are errors reported
? which tool do we use for error tracking
"""

REASONS = """
the old one could not keep up
it costs half as much
the team knows it better
support for the other one ends this year
it is easier to run locally
fewer moving parts
"""

RULES = """
Never log the body of a payment request.
Every public endpoint has a rate limit.
Migrations must be reversible.
Money is never a float.
Do not call the billing service inside a database transaction.
Personal data leaves the region only encrypted.
"""

WISHES = """
Answer in short sentences.
Use British spelling in texts.
Never add co-author trailers to commits.
Show the diff before you commit.
"""

FINDINGS = """
{p} swallows timeouts, so retries never start.
{p} must be imported before the settings are read.
{p} sorts in place and callers rely on it.
{p} leaks a connection when the first query fails.
{p} reads the clock twice, which breaks tests around midnight.
"""

DATES = """
Release freeze until {d}.
Demo for the board on {d}.
The staging cluster is down until {d}.
Audit week ends on {d}.
"""

TRIFLES = """
Ran the linter over {n} files.
Cleaned {n} old screenshots out of the tmp folder.
Bumped the copyright year in {n} headers.
Sorted the imports of {p}.
Looked at ticket {n}, nothing to do.
Renamed a local variable in {p}.
Restarted the dev container, {n} seconds.
"""

BRANCH_NOTES = """
{m} writes to the new table only.
{m} keeps the old entry point as an alias.
{m} is built without the response cache.
"""

TALK = """
Reading {p} to see how it is called.
The change in {p} is small, I will run the tests.
{n} tests passed, one was skipped.
Opened {p} and looked for the caller.
I renamed the helper in {p}, nothing else changed.
Please look at {p} again, something is off near line {n}.
The build took {n} seconds this time.
Can you split the function in {p}?
Done. The diff touches {p} only.
Merged main, one conflict in {p}.
"""

UNRELATED = """
rename this variable to something clearer
write a docstring for the function above
what does this regular expression match
split this line, it is too long
sort these imports
explain the difference between a list and a tuple
"""

MODULES = """
billing
importer
gateway
ledger
mailer
catalog
export
search
"""
