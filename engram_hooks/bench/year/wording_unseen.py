"""The words of the split `unseen`, in the form of `dev`: other teams, other matters, other ways to say a change."""

PROJECTS = """
alpine-maps
sorrel-game
tidal-bank
"""

SUBJECTS = """
tile server | Martin, tegola, pg_tileserv, TileServer GL
= Vector tiles come from {v}.
= {v} serves our vector tiles.
> We retired {o}; vector tiles come from {v} now, {y}.
> Vector tiles are served by {v} rather than {o}: {y}.
! As of today {v} serves the vector tiles.
? what serves our vector tiles
? where do vector tiles come from

ui framework | Svelte, Vue, React, SolidJS
= The front end is written in {v}.
= UI code uses {v}.
> The front end went from {o} to {v}, {y}.
> We are done with {o}: the front end is {v} now, {y}.
! The front end is written in {v} these days.
? what is the front end written in
? which framework does the ui use

physics engine | Rapier, Box2D, Jolt, Bullet
= Collisions are computed by {v}.
= The physics engine is {v}.
> Swapped {o} for {v} as the physics engine: {y}.
> Physics engine is now {v}, no longer {o}, {y}.
! Collisions are computed by {v} now.
? which physics engine computes collisions
? what is the physics engine

secrets | Vault, SOPS, AWS Secrets Manager, Doppler
= Credentials are kept in {v}.
= We keep credentials in {v}.
> Credentials migrated from {o} to {v}: {y}.
> No more {o}: credentials are kept in {v}, {y}.
! Credentials are kept in {v} as of this week.
? where are credentials kept
? what do we keep credentials in

api style | GraphQL, REST, gRPC, tRPC
= The public API is {v}.
= Clients talk {v} to us.
> The public API changed from {o} to {v}, {y}.
> {v} supersedes {o} for the public API: {y}.
! The public API is {v} now.
? what style is the public API
? what do clients talk to the public API

upload limit | 5 MB, 10 MB, 25 MB, 50 MB, 100 MB
= Uploads are limited to {v}.
= The upload limit is {v}.
> The upload limit was raised from {o} to {v}, {y}.
> Upload limit: {o} became {v}, {y}.
! Uploads are now limited to {v}.
? how large may an upload be
? what is the upload limit

search engine | Meilisearch, Typesense, OpenSearch, Elasticsearch
= Full text search runs on {v}.
= {v} powers the search box.
> Search migrated from {o} to {v}: {y}.
> {o} is gone, {v} powers the search box, {y}.
! The search box is powered by {v} now.
? what powers the search box
? what does full text search run on

branching | trunk based development, git flow, release branches, GitHub flow
= We work with {v}.
= Branching model: {v}.
> Branching model: {v} in place of {o}, {y}.
> We gave up {o} for {v}, {y}.
! Our branching model is {v} from now on.
? which branching model do we follow
? what is our branching model

token lifetime | 5 minutes, 20 minutes, 1 hour, 6 hours
= Access tokens live for {v}.
= The lifetime of access tokens is {v}.
> Access tokens used to live for {o}; now it is {v}, {y}.
> Shortened the lifetime of access tokens from {o} to {v}: {y}.
! Access tokens live for {v} now.
? how long do access tokens live
? what is the lifetime of access tokens

map projection | Web Mercator, EPSG:3035, UTM 32N, Equal Earth
= Geometry is stored in {v}.
= Stored geometry uses {v}.
> Geometry is stored in {v} instead of {o}: {y}.
> Stored geometry was converted from {o} to {v}, {y}.
! From this release geometry is stored in {v}.
? which projection is geometry stored in
? what projection does stored geometry use

build tool | Bazel, CMake, Meson, Make, Buck2
= The client is built with {v}.
= Builds go through {v}.
> The client build moved off {o} onto {v}, {y}.
> {v} took over from {o} for client builds: {y}.
! The client is built with {v} now.
? what is the client built with
? which build tool do client builds go through

mail provider | Postmark, Mailgun, SES, SparkPost
= Receipts are mailed through {v}.
= {v} sends the receipts.
> Receipts are mailed through {v}, not {o} any more, {y}.
> We replaced {o} by {v} for sending receipts: {y}.
! {v} sends the receipts from now on.
? who sends the receipts
? what are receipts mailed through

linter | Biome, ESLint, oxlint, Rome
= JavaScript is linted with {v}.
= The linter is {v}.
> Linting switched to {v} from {o}, {y}.
> Out with {o}, in with {v} as the linter: {y}.
! JavaScript is linted with {v} now.
? what is JavaScript linted with
? which linter do we use

save format | FlatBuffers, Cap'n Proto, CBOR, TOML
= Saved games are {v} files.
= The save format is {v}.
> The save format became {v} after {o}, {y}.
> Saved games changed from {o} to {v}: {y}.
! Saved games are {v} files from now on.
? what format do saved games have
? which save format is it

interest rounding | half even, half up, floor, to the nearest cent
= Interest is rounded {v}.
= Rounding of interest: {v}.
> Interest is rounded {v} instead of {o}: {y}.
> Rounding of interest went from {o} to {v}, {y}.
! Interest is now rounded {v}.
? how is interest rounded
? what is the rounding of interest

hosting | Hetzner, Fly.io, Render, OVH, Scaleway
= Everything is hosted at {v}.
= Our host is {v}.
> We moved the hosting from {o} to {v}: {y}.
> Hosting: {v} since we left {o}, {y}.
! Everything is hosted at {v} now.
? where is everything hosted
? who is our host
"""

REASONS = """
our users asked for it
the bill was too high
two outages in a month
the licence changed
nobody maintained it
it halves the build time
"""

RULES = """
A ledger entry is never changed, only reversed.
No network calls on the render thread.
Coordinates are always longitude first.
Each request carries an idempotency key.
Player names are escaped before they are drawn.
Test data never holds real account numbers.
"""

WISHES = """
Explain in German when I write German.
Keep functions under thirty lines.
Do not touch generated files.
Tell me which tests you ran.
"""

FINDINGS = """
{p} crashes on an empty feature collection.
{p} caches by object identity, so copies miss.
{p} needs the locale set before it is loaded.
{p} holds its lock while it writes to disk.
{p} rounds before it adds, which loses a cent in a hundred.
"""

DATES = """
No deployments until {d}.
Playtest with the new level on {d}.
The sandbox of the bank is closed until {d}.
Contract of the old vendor ends on {d}.
"""

TRIFLES = """
Deleted {n} empty lines.
Reformatted {p}.
Checked issue {n}: already fixed.
Waited {n} seconds for the emulator.
Moved a comment in {p}.
Updated {n} snapshots.
Closed {n} stale tabs.
"""

BRANCH_NOTES = """
{m} keeps both code paths behind a switch.
{m} has lost its second index.
{m} checks no permissions in the prototype.
"""

TALK = """
Let me open {p} first.
{p} has {n} callers, two of them in tests.
All {n} checks are green.
I do not like the name in {p}, can you think of another one?
The patch for {p} is ready to look at.
It compiles again after {n} attempts.
Why is {p} imported here?
Pulled the latest changes, {p} merged by itself.
The profiler shows {n} calls to {p}.
Next I add a test beside {p}.
"""

UNRELATED = """
turn this loop into a comprehension
what is the time complexity of this
reverse a linked list in place
make this error message friendlier
convert this to an arrow function
remove the trailing whitespace
"""

MODULES = """
tiles
routing
savegame
ledger
statement
sprites
geocode
replay
"""
