"""Players without a model: heuristics, oracles and traps, one file a benchmark."""
