"""What `bizgym prove` needs to know of the payments company, and what it is shown of each task.

twin.py             a twin of a task, other only in what is hidden
play.py             paths played without an environment
values.py           the values in an action's arguments
provenance.py       where an agent can know them from
variations.py       paths as variations of the reference path
beliefs.py          which row of a rule is taken for which
mistakes.py         mistakes made on the reference path, by operator
counterexamples.py  paths that break one check and no other
traps.py            players who make one kind of mistake throughout
claims.py           the claims
"""

from .claims import claims
from .traps import TRAPS
from .twin import hidden_twin, reveal_turns

TRAP_PLAYERS = tuple(TRAPS)
"""Players beside the null player and the like that are there to fail."""

__all__ = ["TRAP_PLAYERS", "claims", "hidden_twin", "reveal_turns"]
