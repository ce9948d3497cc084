"""What `bizgym prove` needs to know of the payments company, and what it is shown of each task.

twin.py             a twin of a task, other only in what is hidden
play.py             paths played without an environment
values.py           the values in an action's arguments
provenance.py       where an agent can know them from
cases.py            where it can know from which row of a rule applies
variations.py       paths as variations of the reference path
beliefs.py          which row of a rule is taken for which
mistakes.py         mistakes made on the reference path, by operator
support.py          what a check looks at
calls.py            calls that are no part of the reference path
directed.py         mistakes that are aimed at one check
counterexamples.py  paths that break one check and no other
twins.py            copies of a running episode
branches.py         states of a search: an episode and its monitors
footprints.py       which acts make no difference to one another
slices.py           which acts a search leaves free
product.py          every order and choice of the acts of a slice
habits.py           mistakes of order and of repetition
traps.py            players who make one kind of mistake throughout
claims.py           the claims
"""

from .claims import claims
from .traps import TRAPS
from .twin import hidden_twin, reveal_turns

TRAP_PLAYERS = tuple(TRAPS)
"""Players beside the null player and the like that are there to fail."""

__all__ = ["TRAP_PLAYERS", "claims", "hidden_twin", "reveal_turns"]
