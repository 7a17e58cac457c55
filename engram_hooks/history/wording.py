"""How people write what a commit does: patterns over a subject in lower case, one for each kind of reason."""

from __future__ import annotations

import re

from engram_hooks.history.late import LatePattern

_LEADING_BORDER = re.compile(r"(^|\|)\\b")


def _words(*lines: str) -> LatePattern:
    return LatePattern("|".join(lines))


def _anywhere(*lines: str) -> LatePattern:
    """Alternatives that begin a word: the border is looked for once and not for each of them."""
    bare = _LEADING_BORDER.sub(r"\1", "|".join(lines))
    return LatePattern(rf"\b(?:{bare})")


# places in front of what was done: "[core] ", "http: ", "src/a.c: "
PLACE = _words(r"\W*\[[^\]]{1,40}\]\s*(?=\S)", r"\W*[\w./*,()-]{1,40}(?: [\w./*()-]{1,20})?:\s+(?=\S)")
REVERT = _words(
    r"\W*(?:revert(?:s|ed|ing)?|back(?:s|ed|ing)? out|roll(?:s|ed|ing)? ?back|undo(?:es|ne|ing)?)\b"
)
REVERT_BODY = LatePattern(
    r"^\W*this reverts (?:commit|pull request|merge request)\b", re.IGNORECASE | re.MULTILINE
)
RELAND = _words(r"\W*(?:re-?apply|re-?land|re-?introduce|re-?revert|un-?revert|re-?instate)\b")
SECURITY = _anywhere(
    r"\bcve-\d{4}-\d+|\bghsa-|\bvulnerabilit|\bexploit(?:able"
    r"|s|ed)?\b|\bsecurity (?:fix|issue|bug|hole|problem|flaw)",
    r"\bxss\b|\bcsrf\b|\bssrf\b|\bredos\b|\b(?:sql|command|shell|header|code|crlf|template|log) injection\b",
    r"\bpath traversal\b|\bdirectory traversal (?:attack|vuln|bug"
    r"|issue)|\bopen redirect\b|\bprototype pollution\b|\btiming attack",
    r"\b(?:fix|prevent|avoid|stop|do not|don't)\b.*\b(?:leak|expos)(?:e|es|ing|ed)? .{0,20}"
    r"(?:secret|credential|password|token|authorization|auth header)",
)
# mends how things are written
COSMETIC = _anywhere(
    r"\btypos?\b|\bspell|\bmis-?spel|\bgrammar|\bgrammatical|\bwording\b|\bcapitali[sz]ation\b|\bnitpick|\bnits?\b",
    r"\w*lint(?:s|er|ing|ers|fix)?\b|\w*flakes?\b|\bflake8\b|\bpep-?8\b|\bruff\b|\bprettier\b|\bclippy\b|\bisort\b",
    r"\bgofmt\b|\brustfmt\b|\bclang-?format|\bformatting\b"
    r"|\breformat|\bformat$|\bformat (?:the )?(?:code|files?|source)",
    r"\bwhite-?space|\bindent(?:ation|ing|ed)?s?\b|\btabs? (?:vs|to|and|instead)|\btrailing (?:space|newline|comma)",
    r"\bline (?:length|endings?)\b|\bcod(?:e|ing) style\b|\bstyl(?:e|ing|istic) (?:fix|issue|nit|guide|error|check)",
    r"\bfix(?:es|ed|ing)? (?:\w+ )?styl(?:e|ing)$|\bimport (?:order"
    r"|sort)|\brebase\b|\bfeedback\b|\b(?:bad|broken) merge",
    r"\b(?:code |from |in |on |after |pr )reviews?\b"
    r"|\breview(?:er)? (?:comment|fix|remark|suggestion)|\bpr comments?\b",
    r"\bmerge (?:conflict|branch|error|issue|mistake|fix|artifact|leftover)s?\b|^merge\b",
    r"\bcopyright\b|\bcomplexity\b|\w*critic\b|\bpyflakes",
)
DOCS = _anywhere(
    r"\bdoc(?:s|strings?|umentation|umented|umenting)?\b"
    r"|\bread ?me\b|\bchange-?log\b|\bcomments?$|\bin (?:the )?comments?\b|\brelease notes?\b",
    r"\b(?:dead|broken|wrong) (?:link|url)|\bsphinx\b|\blicen[cs]e\b|\bbadges?\b|\bwebsite\b",
    r"\b(?:fix|updat|correct|repair)(?:e?s|e?d|ing)? (?:the |a |some |broken |dead )?"
    r"(?:links?|hyperlinks?|anchors?|examples?|tutorials?)\b",
    r"\bfix(?:es|ed|ing)? (?:\w+ ){1,2}examples?\b|\bfix(?:es|ed|ing)? (?:(?:the|a|some|wrong|old) )*comments?"
    r"(?=,? (?:too|about|above|in|of)\b|\W*$)",
)
TESTS = _anywhere(
    r"\btests?\b(?! (?:for|of|with|it) )|\btest[ _-](?:suite"
    r"|case|data|fixture|runner|failure|server)s?\b|\btesting\b",
    r"\bfix(?:es|ed|ing)? (?:(?:the|a|some|broken|failing) )*tests?\b",
    r"\bflak(?:y|e|iness)\b|\bcoverage\b|\bpytest\b|\be2e\b|\bfixtures?\b|\bbenchmarks?\b|\btest_\w+|\w+_test\b",
)
BUILD = _anywhere(
    r"\bci\b|\btravis\b|\bappveyor\b|\bcircle ?ci\b|\bgithub actions?\b"
    r"|\bmake ?files?\b|\bcmake\b|\btox\b|\bdockerfile\b",
    r"\bbuild (?:error|fail|script|system|process|warning|issue"
    r"|break)|\b(?:fix|repair|unbreak)(?:es|ed|ing)? (?:the )?build\b",
    r"\bbuild(?:$|:)|\b(?:fix|repair)(?:es|ed|ing)? (?:[\w-]+ ){1,2}build (?:for|on|with|problem)\b|\bcompil(?:e"
    r"|er|ation|ing) (?:error|fail|warning|issue|flag|problem)|\b(?:fix|repair)(?:es|ed|ing)? compil",
    r"\bpackaging\b|\bsetup\.(?:py|cfg)\b|\bbump(?:s|ed|ing)?\b"
    r"|\bpre-?commit\b|\bdependabot\b|\brenovate\b|\bcodecov\b",
    r"\b(?:updat|upgrad|pin|unpin|lock|add|remov|fix)(?:e?s|e?d|ing)? (?:\w+ ){0,2}dep(?:endenc(?:y|ies)|s)\b",
    r"\bupgrade(?:s|d)? .* (?:to|from) v?\d|\brelease (?:v?\d|script|process|workflow)|^v?\d+(?:\.\d+)+",
    r"\bversion (?:bump|number)|\bprepar(?:e|ing) (?:for )?(?:v?\d|release)|\bmypy\b|\bpyright\b|\bannotations?\b",
    r"\bfix(?:es|ed|ing)? (?:(?:the|some|wrong|missing) )*(?:typing|types)\b(?! (?:indicator|event|that|which))",
    r"\btyp(?:e|ing) (?:hint|annotation|error|check|stub)s?\b"
    r"|\btypings\b|\w*warnings?\b|\bvendor(?:ed|ing)?\b|\bunvendor",
)
FIX = _anywhere(
    r"\bfix(?:es|ed|ing)?\b|\bbug-?fix|\bhot-?fix|\bregress(?:ion"
    r"|ed|es|ions)\b|\bcrash(?:es|ed|ing)?\b|\bdead-?locks?\b",
    r"\brace conditions?\b|\bdata races?\b|\b(?:memory|resource"
    r"|fd|descriptor|socket|connection|goroutine|handle) leaks?\b",
    r"\bsegfaults?\b|\bsegmentation fault|\bnull pointer|\bnil pointer|\buse[- ]after[- ]free\b|\bdouble[- ]free\b",
    r"\b(?:buffer|stack|integer|heap) overflow|\boff[- ]by[- ]one\b|\binfinite (?:loop|recursion)\b|\bdata loss\b",
)
# in a body: a keyword that closes a reported fault
CLOSES = LatePattern(r"\bfix(?:es|ed)?[: ]+(?:gh-|#|[\w.-]+/[\w.-]+#|https?://\S+/issues/)\d+", re.IGNORECASE)
DEFECT = _anywhere(
    r"\bbugs?\b|\bcrash|\bregression|\bdead-?lock|\brace condition"
    r"|\bleak|\bsegfault|\bcorrupt|\binfinite|\boverflow|\bpanic",
)
# a verb of repair that, before a word for what goes wrong, makes a fix
REPAIR = _words(
    r"(?:correct(?:ly|s|ed)?|properly|repair(?:s|ed)?|prevent(?:s|ed)?"
    r"|avoid(?:s|ed)?|guard(?:s)? against|resolve(?:s|d)?|handle)\b"
)
FORBID = _words(r"(?:don'?t|do not|never|stop)\b")
WRONG = _anywhere(
    r"\b(?:crash|panic|exceptions?|traceback|hangs?|freez|stuck|wrong(?:ly)?"
    r"|incorrect(?:ly)?|invalid|broken|bug|fail(?:s|ed|ing|ure)?",
    r"infinite|overflow|corrupt|duplicate[sd]?|lost|null|none"
    r"|undefined|nil|nan|\w+error|leak|race|dead-?lock|error)\b",
)
GRAVE = _anywhere(
    r"\b(?:crash|panic|hang|fail|freez|stuck|corrupt|leak|lose|raise|throw|segfault|deadlock|duplicate)"
)
# verbs of a change that was wanted, not a repair
WANTED = _words(
    r"(?:add|allow|support|implement|introduce|enable|provide|expose"
    r"|create|accept|extend|make|improve|use|change|deprecate)s?\b",
    r"(?:update|remove|rename|move|replace|rewrite|upgrade"
    r"|document)[sd]?\b|(?:added|adding|new|feature|initial|let|switch)\b",
    r"(?:convert|drop|refactor|build|type|restructure|reorgani[sz]e|simplif(?:y|ies|ied)|clean(?: ?-?up)?)s?\b",
)
NEW = _words(
    r"(?:add|allow|support|implement|introduce|enable|provide|expose|create"
    r"|accept|extend)(?:s|ed|d)?\b|(?:adding|new|feature|initial|let)\b"
)
PERF = _anywhere(
    r"\bperf(?:ormance)?\b|\bspeed(?:s|ed|ing)?[- ]?up\b|\bfaster\b"
    r"|\boptimi[sz](?:e|es|ed|ing|ation|ations)\b|\blatency\b",
    r"\bmemory (?:usage|consumption|footprint)\b|\bthroughput\b",
    r"\bavoid(?:s|ing)? (?:unnecessary|redundant|needless|extra"
    r"|repeated) (?:alloc|cop|call|work|comput|lookup|pars|read|quer)",
)
REFACTOR = _words(
    r"\brefactor|\bclean-? ?up\b|\bdead code\b|\btid(?:y|ied)\b|(?:factor|pull)(?:s|ed)? out\b|(?:inline|split)s?\b",
    r"(?:rename|move|extract|restructure|reorgani[sz]e|rewrite"
    r"|rework|consolidate|dedupe|deduplicate|convert)(?:s|d|ed)?\b",
    r"(?:simplif(?:y|ies|ied)|unif(?:y|ies|ied))\b",
    r"(?:remove|delete|drop)(?:s|d|ped)? (?:the |some |all )?(?:unused"
    r"|unneeded|unnecessary|redundant|dead|obsolete|duplicate)",
)
