"""Values behind telling names are redacted in every dialect; code and words that only name a secret stay."""

from __future__ import annotations

import pytest

from engram_hooks.guard.redact import MARKER, redact
from tests.unit.guard.secret_parts import HEX, MIXED, PASSWORD, RANDOM, join

PASSWORDS = {
    "prompt": "Password: {}",
    "ini": "password = {}",
    "env": "DB_PASS={}",
    "export": "export DB_PASSWORD={}",
    "shell-prefix": "PGPASSWORD={} psql -h db -U app",
    "suffix": "PASSWORD_FOO: {}",
    "yaml": "db:\n  host: zephyr\n  password: {}\n  name: mango",
    "yaml-comment": "  password: {}  # production",
    "yaml-block": "password: |\n  {}\n",
    "json": '{{"password": "{}", "port": 1}}',
    "json-escaped": '{{\\"password\\":\\"{}\\"}}',
    "dict": "{{'user': 'a', 'password': '{}'}}",
    "php-array": "'password' => '{}',",
    "php-define": "define('DB_PASSWORD', '{}');",
    "php-index": "$config['db_password'] = '{}';",
    "dockerfile": "ENV DB_PASSWORD {}",
    "dockerfile-equals": "ENV DB_PASSWORD={}",
    "powershell": '$env:DB_PASSWORD = "{}"',
    "fish": "set -x DB_PASSWORD {}",
    "windows": "setx DB_PASSWORD {}",
    "python-environ": "os.environ['DB_PASSWORD'] = '{}'",
    "node-environ": "process.env.DB_PASSWORD = '{}'",
    "python-typed": 'password: str = "{}"',
    "typescript": "const password: string = '{}';",
    "go": 'password := "{}"',
    "go-typed": 'var password string = "{}"',
    "java": 'String password = "{}";',
    "c": '#define WIFI_PASSWORD "{}"',
    "keyword": "connect(user='a', password='{}', host='h')",
    "terraform": 'variable "db_password" {{\n  default = "{}"\n}}',
    "xml": "<password>{}</password>",
    "xml-attribute": '<property name="password" value="{}"/>',
    "xml-setting": '<add key="DbPassword" value="{}" />',
    "k8s-env": '  - name: DB_PASSWORD\n    value: "{}"',
    "ecs-env": '{{"name": "DB_PASSWORD", "value": "{}"}}',
    "connection-string": "Server=db;User Id=sa;Password={};Encrypt=true",
    "connection-pwd": "Server=db;Uid=sa;Pwd={};Database=x",
    "libpq": "host=db user=a password={} dbname=x",
    "jdbc": "jdbc:mysql://h:3306/x?user=root&password={}&useSSL=false",
    "form": "user=zephyr&password={}&next=/",
    "flag": "tool --password {} --user x",
    "flag-equals": "tool --db-password={} --user x",
    "flag-list": '["--password", "{}"]',
    "system-property": "java -Dpassword={} -jar x.jar",
    "helm": "--set auth.password={}",
    "kubectl": "--from-literal=password={}",
    "mysql": "mysqldump -u root -p{} app",
    "sshpass": "sshpass -p {} ssh a@b",
    "docker-login": "docker login -u bot -p {} registry.example.invalid",
    "docker-stdin": "echo {} | docker login --password-stdin -u x",
    "curl": "curl -u admin:{} https://x.example.invalid",
    "curl-long": "curl --user 'admin:{}' https://x.example.invalid",
    "redis": "redis-cli -a {} ping",
    "openssl": "openssl rsa -passin pass:{} -in k.pem",
    "sql": "ALTER USER app WITH PASSWORD '{}';",
    "sql-identified": "CREATE USER a IDENTIFIED BY '{}';",
    "netrc": "machine git.example.invalid login bot password {}",
    "netrc-lines": "machine git.example.invalid\n  login bot\n  password {}\n",
    "prose": "the password is {}, keep it",
    "prose-quoted": "the password is `{}`",
    "sudo": "[sudo] password for bob: {}",
    "go-source": "app:{}@tcp(127.0.0.1:3306)/db",
    "pgpass": "db.example.invalid:5432:app:bob:{}",
    "german": "Passwort: {}",
    "russian": "пароль: {}",
    "chinese": "密码: {}",
}
SECRETS = {
    "api-key": "api_key={}",
    "api-key-suffix": "API_KEY_XYZ = '{}'",
    "app-key-live": "APP_KEY_LIVE={}",
    "camel": '"apiKey": "{}"',
    "two-words": "API key: {}",
    "client-secret": "client_secret={}",
    "auth-token": "//packages.example.invalid/:_authToken={}",
    "account-key": "AccountName=zephyr;AccountKey={};EndpointSuffix=x",
    "query": "https://x.example.invalid/cb?code=1&access_token={}&state=2",
    "aws": "aws_secret_access_key = {}",
    "aws-camel": '"SecretAccessKey": "{}"',
    "docker-config": '{{"auths": {{"x": {{"auth": "{}"}}}}}}',
    "android": '<string name="api_key">{}</string>',
    "plist": "<key>ApiSecret</key>\n<string>{}</string>",
    "template-string": "const API_TOKEN = `{}`;",
    "generic-key": "DATADOG_KEY={}",
    "compose": "environment:\n  - API_TOKEN={}",
    "percent": "token%3D{}",
}
HEADERS = {
    "dict": "HTTP 401 {{'Authorization': 'token {}'}}",
    "curl-v": "> authorization: Bearer {}\n> Accept: */*",
    "basic": "> Authorization: Basic {}\n",
    "bare": "Authorization: {}",
    "upper": "AUTHORIZATION: BEARER {}",
    "proxy": 'headers={{"Proxy-Authorization": "Bearer {}"}}',
    "pair": "headers.set('Authorization', 'Bearer {}')",
    "list": "['Authorization', 'Bearer {}']",
    "bearer-alone": "sent Bearer {} to the host",
    "api-key": '{{"headers":{{"X-Api-Key":"{}"}}}}',
    "curl-h": "curl -H 'x-api-key: {}' https://x.example.invalid",
    "gitlab": "PRIVATE-TOKEN: {}",
    "vault": "X-Vault-Token: {}",
    "azure": "Ocp-Apim-Subscription-Key: {}",
    "cookie": "Cookie: theme=dark; session={}; lang=en",
    "set-cookie": "< Set-Cookie: sessionid={}; Path=/; HttpOnly",
    "cookie-json": '{{"cookie":"session={}; path=/"}}',
    "cookie-flag": "curl -b 'session={}' https://x.example.invalid",
}
ADDRESSES = {
    "postgres": "postgres://app:{}@db.example.invalid:5432/zephyr?sslmode=require",
    "redis": "redis://:{}@cache.example.invalid:6379/0",
    "mongo": "mongodb+srv://root:{}@c0.example.invalid/x",
    "two-hosts": "mongodb://root:{}@a.example.invalid:27017,b.example.invalid:27017/x",
    "git": "origin\thttps://x-access-token:{}@git.example.invalid/a/b.git (fetch)",
    "proxy": "proxy=http://u:{}@proxy.example.invalid:3128",
    "user-only": "https://{}@git.example.invalid/a/b.git",
    "slack": "https://hooks.slack.com/services/T00000000/B00000000/{} x",
    "discord": "https://discord.com/api/webhooks/123456789012345678/{}",
    "own-hook": "https://chat.example.invalid/hooks/{}",
    "signature": "https://x.blob.example.invalid/c?sv=2020&sig={}&se=1",
}


def check(carrier: str, value: str) -> None:
    """The value goes, all else stays, and once is enough."""
    before, after = carrier.format("\0").split("\0")
    assert redact(before + value + after) == before + MARKER + after


@pytest.mark.parametrize("dialect", PASSWORDS)
@pytest.mark.parametrize("value", [PASSWORD, RANDOM, join("hunter", "2024", "x9")])
def test_password_is_redacted(dialect: str, value: str) -> None:
    check(PASSWORDS[dialect], value)


@pytest.mark.parametrize("dialect", SECRETS)
@pytest.mark.parametrize("value", [RANDOM, HEX[:40], MIXED[:32]])
def test_secret_is_redacted(dialect: str, value: str) -> None:
    check(SECRETS[dialect], value)


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("value", [RANDOM, HEX[:40], join("q7Zr2notreal", "Q9xK4mW8vT1")])
def test_credentials_of_a_header_are_redacted(header: str, value: str) -> None:
    check(HEADERS[header], value)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("value", [RANDOM, MIXED[:40]])
def test_secret_in_an_address_is_redacted(address: str, value: str) -> None:
    check(ADDRESSES[address], value)


def test_password_with_at_sign_and_colon_goes_as_a_whole() -> None:
    check("postgresql://app:{}@db.example.invalid:5432/app", join("q7Zr2n%40t", "r@eal:x"))


def test_escaped_quote_does_not_end_the_value() -> None:
    check('{{"client_secret": "{}", "x": 1}}', join("q7Zr2n", 'ot\\"real'))


def test_quoted_password_with_a_blank_goes_as_a_whole() -> None:
    check("PASSWD='{}'\n", join("q7Zr2n", "otreal three"))


def test_invisible_character_in_a_name_does_not_save_the_value() -> None:
    assert redact(f"pass\u00adword={RANDOM}") == f"pass\u00adword={MARKER}"


def test_every_value_of_a_kubernetes_secret_is_redacted() -> None:
    head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: zephyr\ndata:\n"
    text = f"{head}  a.conf: {MIXED[:24]}\n  b: {HEX[:20]}\nx: mango"
    want = f"{head}  a.conf: {MARKER}\n  b: {MARKER}\nx: mango"
    assert redact(text) == want


UNTOUCHED = [
    "anyPasswordLikeVariable: config.MySecretPasswordVariable,",
    "apiKey = getKey()",
    'password = os.environ["DB_PASSWORD"]',
    "db: { password: '*******' }",
    "MYSQL_ALLOW_EMPTY_PASSWORD=yes",
    'token = request.headers.get("Authorization")',
    "secret_key: ${{ secrets.DEPLOY_KEY }}",
    "password: <your-password-here>",
    'password = "/parameters/store/aws/key"',
    "the tokenizer splits on white space; token: str",
    "const isSecret = true; // secret: boolean",
    "Authorization: Bearer $TOKEN",
    'curl -H "Authorization: Bearer ${API_TOKEN}" https://api.example.invalid/',
    "headers = {'Authorization': f'Bearer {token}'}",
    "vaultKey: 'inf-vsqt-01-secret-id' names a path",
    "tokenizationId is 8a2f6c1e-3b7d-4a95-b1a0-5f6e7d8c9b0a in the fixture",
    f"SRCREV = {HEX[:40]}",
    "export API_TOKEN=<YOUR_API_TOKEN>",
    "API_KEY=your-api-key-here",
    "password=changeme",
    "password: xxxxxxxx",
    "def set_password(self, password: str, salt: bytes) -> None:",
    "interface Login { user: string; password: string; token?: string }",
    "CREATE TABLE users (id INT, password_hash VARCHAR(255) NOT NULL, api_key_id INT);",
    'password: "{{ vault_db_password }}"',
    "api_key = var.datadog_api_key",
    "usage: tool [--token TOKEN] [--password-stdin]",
    "max_tokens: 4096, tokens: 1234567, token_budget=200000",
    'msgid "Password must have 8 characters"',
    '"password": "Enter your password"',
    '"passwordLabel": "Password2"',
    "password = hashlib.sha256(session.encode()).hexdigest()",
    "private_key = Ed25519PrivateKey.generate()",
    "token_type: bearer, token_url: https://x.example.invalid/oauth2/token",
    "PASSWORD_FILE=/run/secrets/db_password",
    "password_hasher = bcrypt2, algorithm = sha256",
    "sort_key=lambda k: k[1], cache_key: v2x8, primary_key=id1",
    '"AWS::IAM::AccessKey": "62d91b17309e76c8"',
    "arn:aws:secretsmanager:us-east-1:123456789012:secret:MyDb4Secret1",
    '<input type="password" name="password" placeholder="Password1">',
    "you can pass `max_length=None` or pass 'x1=2'",
    "next_page_token=abc123def456ghi789",
    "publicKeyToken=31bf3856ad364e35",
    "git@git.example.invalid:team/app.git",
    "https://ada@git.example.invalid/team/app.git",
    "postgres://user:password@localhost:5432/app",
    "postgres://${DB_USER}:${DB_PASS}@localhost/app",
    "http://localhost:8080/@scope/pkg",
    "mkdir -p build1 && cp -u a b && mysql -u root -p app",
    "curl -u user:password https://x.example.invalid",
    "Set-Cookie: theme=dark; Path=/; Max-Age=3600",
    "import { TokenKind2, parseToken } from './token2'",
    'if token === "" { return errNoToken1 }',
    "rotate the token every 30 days; the password policy asks for 12 characters",
    "the secret to good tests is patience, the key is 42",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "look for a line -----BEGIN RSA " + "PRIVATE KEY----- in the file and stop there",
    "password: [redacted]",
    "",
]


@pytest.mark.parametrize("text", UNTOUCHED, ids=range(len(UNTOUCHED)))
def test_text_that_only_names_a_secret_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("word", ["passed", "passing", "keyword", "keyboard", "tokenize", "secretary"])
def test_ordinary_words_that_begin_like_a_name_stay_cheap(word: str) -> None:
    """They load no scanner: a test report says "passed" on each of its lines."""
    from engram_hooks.guard.redact import _has_value

    assert not _has_value(f"the report says {word}: all is well")
