"""Whether a name (of a variable, a field, a header, a flag) says that its value is secret."""

from __future__ import annotations

NOTHING, KEY, TOKEN, PASSWORD, HEADER = range(5)

# substrings of the lower-case text that may be part of a telling name
TRIGGERS = (
    "pass", "pwd", "secret", "token", "key", "auth", "cred", "jwt", "pw=", "pw:", "psw", "bearer", "mnemonic",
    "x-amz-sig", "x-goog-sig", "sessid", "sessionid", "connect.sid", "senha", "kennwort", "contrasena",
)  # fmt: skip
WIDE_TRIGGERS = ("пароль", "密码", "密碼", "パスワード", "비밀번호", "contraseña")

_PASSWORD_ENDS = (
    "password", "passwd", "passwort", "passphrase", "passcode", "pwd", "psw", "kennwort", "senha",
    "storepass", "keypass",
    "dbpass", "userpass", "mypass", "smtppass", "mailpass", "rootpass", "adminpass", "sshpass",
    "requirepass", "masterauth",
    "пароль", "密码", "密碼", "パスワード", "비밀번호", "contrasena", "contraseña", "motdepasse", "mdp",
)  # fmt: skip
_PASSWORD_WORDS = frozenset(("pass", "pw", "pword", "passwords", "paswd"))
_TOKEN_ENDS = (
    "secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "accountkey",
    "masterkey", "sharedkey",
    "encryptionkey", "signingkey", "subscriptionkey", "sessionkey", "storagekey", "sharedaccesskey",
    "credential", "licensekey",
    "credentials", "creds", "bearer", "jwt", "secrets", "tokens", "authtoken", "mnemonic", "servicekey",
    "appkey", "passkey",
)  # fmt: skip
_TOKEN_WORDS = frozenset(("auth", "phpsessid", "jsessionid", "sessionid", "otp", "dsn"))
_KEY_BEFORE = frozenset(
    """api access secret private priv encryption encrypt decryption signing sign signature master
    account auth app application
    service svc shared subscription client admin deploy deployment consumer license licence server
    storage live webhook hmac jwt
    cipher crypto aes session integration ingest ingestion instrumentation functions function host
    symmetric seed wrap wrapping
    management write rest ssh ssl tls rsa vault stripe github gitlab aws openai anthropic sendgrid
    mailgun twilio datadog
    google maps azure gcp firebase algolia heroku slack bot user security authentication auth0 cloudflare""".split()
)
_NOT_KEY = frozenset(
    """public pub primary foreign sort partition cache group hot row index lookup object idempotency
    idem natural composite
    unique translation i18n registry issue project dict map map json column order message routing
    dedup dedupe bucket s3
    blob event state redis etag range shard hash config env field trans locale label title""".split()
)
_DISMISSED_AFTER = frozenset(
    """id ids name names file files filename path paths dir url urls uri uris endpoint endpoints type
    types kind length len
    size count counts limit limits max min policy policies rule rules hint hints label labels field
    fields input inputs prompt
    placeholder error errors message messages reset expiry expires expire expiration expired exp ttl
    age lifetime timeout
    version versions algorithm algo alg manager provider providers store factory handler helper
    validator mgr entry
    validation regex pattern format strength required enabled disabled optional changed at date time
    timestamp usage index
    position budget window env var vars variable ref refs reference arn source prefix table schema
    class view form page link
    button title text description desc help doc docs encoder encoding checker check verify verified
    match generator scope
    scopes audience issuer bits pair ring chain board code codes press event events status state mode
    method methods flow
    grant host hostname user username domain port realm created updated rotation rotated revoked hash
    hashes hashed
    digest fingerprint column constraint stdin mount provided set strategy module plugin exists
    present valid invalid missing not is only first last rate per used left cost price
    ratio stream parser reader writer list map cache by in from with""".split()
)
_DISMISSED_BEFORE = frozenset(
    """next page continuation cancellation cancel num max min total prompt completion no not has is
    public pub publishable
    hashed invalid missing forgot pagination paging cursor sync resume start end stop eos bos pad unk
    mask special hash
    input output text syntax parse lex design cached reasoning num_ estimated device""".split()
)


def grade_name(name: str) -> int:
    """How telling `name` is: NOTHING, KEY (with a random value only), TOKEN, PASSWORD, HEADER (scheme and value)."""
    words = split_words(name)
    for i in range(len(words) - 1, -1, -1):
        grade = _grade_word(words, i)
        if grade == NOTHING:
            continue
        if any(word in _DISMISSED_AFTER for word in words[i + 1 :]):
            return NOTHING
        if i and grade != PASSWORD and words[i - 1] in _DISMISSED_BEFORE:
            return NOTHING
        if (
            i
            and grade == PASSWORD
            and words[i - 1] in ("no", "has", "is", "forgot", "reset", "empty", "show", "hide")
        ):
            return NOTHING
        if "public" in words[:i] or "publishable" in words[:i]:
            return NOTHING
        if grade == HEADER and i + 1 < len(words):
            return NOTHING
        return grade
    return NOTHING


def split_words(name: str) -> list[str]:
    """The words of an identifier in any style, in lower case: `dbPassword`, `DB_PASSWORD`, `db-password`."""
    plain = name.replace("-", "_").replace(".", "_").replace(" ", "_")
    words: list[str] = []
    for part in plain.split("_"):
        if part.islower() or part.isupper() or not part:
            if part:
                words.append(part.lower())
            continue
        start = 0
        for i in range(1, len(part)):
            if part[i].isupper() and (not part[i - 1].isupper() or part[i + 1 : i + 2].islower()):
                words.append(part[start:i].lower())
                start = i
        words.append(part[start:].lower())
    return words


def _grade_word(words: list[str], i: int) -> int:
    word = words[i].rstrip("0123456789")
    before = words[i - 1] if i else ""
    if (
        word.endswith(_PASSWORD_ENDS)
        or word in _PASSWORD_WORDS
        or (before == "pass" and word in ("word", "phrase", "wd"))
    ):
        return PASSWORD
    if word in ("authorization", "authorisation"):
        return HEADER
    if word == "auth":
        return TOKEN if i == len(words) - 1 and len(words) <= 2 else NOTHING
    if word.endswith(_TOKEN_ENDS) or word in _TOKEN_WORDS:
        return TOKEN
    if word in ("id", "sid") and before in ("phpsess", "jsession", "connect"):
        return TOKEN
    if word in ("signature", "credential") and before in ("amz", "goog"):
        return TOKEN
    if word in ("key", "keys"):
        if before in _KEY_BEFORE and before not in _NOT_KEY:
            return TOKEN
        return NOTHING if before in _NOT_KEY or not before else KEY
    return NOTHING


def is_key_word(name: str, before: str) -> bool:
    """Whether `name` is the bare word "key" behind a word that makes it secret: "API key", "access key"."""
    if name not in ("key", "keys") or not before.endswith(" "):
        return False
    words = before.split()
    return bool(words) and words[-1].strip("\"'`(") in _KEY_BEFORE
