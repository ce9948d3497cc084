"""BizGym agents."""

if "." not in __name__:
    raise ImportError(
        "import bizgym.agents instead of agents: the folders of this checkout install under the name bizgym"
    )
