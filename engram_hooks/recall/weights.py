"""How much each signal counts when lines of the log are ranked, and why.

Scores are sums of rarities in natural logarithms: a word of one line in a hundred weighs about 4. Every
weight was set once, coarsely, on development data of several kinds (long chats, coding sessions); none
stands on a peak, halving or doubling one moves the figures by about a point.
"""

from __future__ import annotations

# bm25: the second use of a word still says something; long lines are often the full answer, so length counts little
REPEAT = 1.2
LENGTH = 0.2
# a whole session is judged as one long text, with the textbook's weight for its length
SESSION_REPEAT = 1.2
SESSION_LENGTH = 0.75

# a session that is about the question lifts its lines: an answer seldom repeats the words of the question
SESSION = 0.5
# question and answer stand next to each other; what is two lines away is still the same exchange
NEXT_LINE = 0.2
NEXT_BUT_ONE = 0.1
# meaning: a close paraphrase (cosine 0.6) is worth one rare word; alone it would bring in what is merely alike
MEANING = 6.0
# "in May", "on 3 May 2025": a line of that day is worth one rare word
DATE = 4.0

# words that say how to answer, not what about: "the complete current list of ..."
ASKING_WORD = 0.5
# the parts of a name stand in for it: with it they do not count twice
NAME_PART = 0.5
# the start of a word, where the word itself stands nowhere
WORD_START = 0.7

# a line that shares more than this part of its words with a better one says little new, and loses up to
# this part of the best score
SAME_WORDS = 0.6
REPETITION = 0.5

# --- records: log odds that a prompt needs a record, from a logistic model with few features, fitted on two
# projects in turn and checked on the other; rounded to the mean of both

# with vectors: a cosine of 0.5 weighs as much as six units of rarity
RECORD_BIAS = -5.6
RECORD_WORDS = 0.36
RECORD_MEANING = 5.0
# how far the cosine stands above what is usual for this prompt: vague prompts are a bit like everything
RECORD_GAP = 5.5
# two words that fit are seldom chance, and still less where they stand together
RECORD_PAIR, RECORD_CLOSE = 0.3, 0.6
# another word for the same matter
RECORD_TOPIC = 1.3
# a report of trouble needs what was learnt from trouble
RECORD_KIND = 0.3

# full text alone
LEXICAL_BIAS = -4.6
LEXICAL_WORDS = 0.5
# the share of the prompt's rarity that the record covers: with vectors the cosine says the same better
LEXICAL_SHARE = 1.4
LEXICAL_PAIR, LEXICAL_CLOSE = 0.5, 0.6
LEXICAL_TOPIC = 1.7

# a name out of code, written exactly so, is rarer than its parts
VERBATIM = 1.5
IN_SUMMARY, IN_TAGS, IN_DETAIL = 1.0, 0.9, 0.6
MAX_WORDS = 20.0
MAX_MATTERS = 3
# where no shared matter would help any more, none is looked for
HOPELESS = -5.3
CLOSE_CHARS = 30
# the background of a prompt: cosines of the 6th to 15th nearest record; a small store is filled up with the usual value
REST_FROM, REST_TO, USUAL_COSINE = 5, 15, 0.2
# "why ...": a record that gives a reason
RECORD_REASON = 1.5
REASON_WORDS = " because ", " since ", "reason", " due to ", " so that ", ": "
# log odds within which the newer of two records is asked first: for what holds now the later word counts
NEAR_TIE = 1.75
# a fact under this probability is no answer, unless this part of the question stands in it word by word
MIN_FACT, MIN_FACT_COVERAGE = 0.04, 0.25

# --- the minder, by `minder.eagerness`: the probability from which the first record is shown, and the others. The first
# one may be wrong once in five times (low: in ten, high: in three); more of them cost twice, so they need better odds
FLOORS = {"off": (2.0, 2.0), "low": (0.5, 0.7), "normal": (0.3, 0.5), "high": (0.2, 0.3)}
# a record with less than this part of the best one's probability is beside the point
MIN_SHARE = 0.5
