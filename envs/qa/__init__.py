"""Enterprise QA: one question an episode, four capabilities, three bands of difficulty."""
