# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers to the papers' claims, from rows of results: those of all papers together."""
import paper_claims_a
import paper_claims_a_gpu
import paper_claims_b
import paper_claims_c
import paper_claims_d
import paper_claims_d_stacks
from paper_answers import FAILS, HOLDS, UNKNOWN, Missing, Results

PAPERS = (paper_claims_a, paper_claims_a_gpu, paper_claims_b, paper_claims_c, paper_claims_d,
          paper_claims_d_stacks)
# What can be found on no machine with what the project has.
NEVER = {number: reason for paper in PAPERS
         for number, reason in getattr(paper, "NEVER", {}).items()}
ANSWERS = {number: found for paper in PAPERS for number, found in paper.ANSWERS.items()}


def find_answer(number, claim, results):
    """(verdict, sentence, reason) for the claim of this number; a reason if it does not hold."""
    if number in NEVER:
        return UNKNOWN, NEVER[number], ""
    try:
        return ANSWERS[number](results)
    except Missing as missing:
        return UNKNOWN, f"The machine did not run it: {missing} ({claim['experiment']}).", ""
