"""What the prover asks of `bizgym-tests/Payments-v0`: the benchmark's own, by its environment's content."""

from bizgym.envs.payments.proofs import TRAP_PLAYERS, claims, hidden_twin, reveal_turns

__all__ = ["TRAP_PLAYERS", "claims", "hidden_twin", "reveal_turns"]
