"""How much each signal counts when facts are recalled, and why.

The first ones are log odds of a logistic model with few features that says whether a record is about a question at
all. It was fitted on development questions over projects whose decisions change, with whole topics left out in turn,
and rounded; questions on other topics give the same figures within a few points.
"""

from __future__ import annotations

FACT_BIAS = -4.5
FACT_MEANING = 17.5
# the share of the question's rarity that stands in the record; words that only ask count half
FACT_SHARE = 4.0
ASKING_WORD = 0.5
# other words for the same matter count where the meaning is not far off altogether
FACT_MATTER, FACT_MATTER_FROM, FACT_MATTER_SPAN = 1.4, 0.1, 0.2
# in a long question more words meet by chance
FACT_LENGTH, FACT_MAX_LENGTH = -0.35, 6
# from here on a record is told, and others beside it
FACT_FLOOR, FACT_NEXT_FLOOR = 0.48, 0.35

# log odds between records: what was rejected, planned or only mentioned seldom answers what holds
FACT_REJECTED, FACT_MENTION = 3.0, 3.0
# asked why something is not there any more: the record that says so
FACT_REPLACED = 1.5
# found by the words of a record that it replaced
FACT_CHAIN = 0.3
# so likely about the question that a later one, saying by name what is gone, closes an earlier one; of so many
FACT_NEAR, FACT_MAX_NEAR = 0.1, 30
# made on another branch: by the logarithm of what its place is worth
FACT_BRANCH = 4.0
# two records this alike in meaning are about one matter: the newer one counts
SAME_MATTER = 0.6
# answers with one value that are at least this alike are one answer
SAME_ANSWER = 0.3
# log odds within which the newer of two records on one matter comes first; closer ties need no other sign than that
# both are surely about the question
SURE, SURE_TIE = 0.6, 1.75
NEAR_TIE = 5.0
