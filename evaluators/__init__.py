"""BizGym evaluators."""

if "." not in __name__:
    raise ImportError(
        "import bizgym.evaluators instead of evaluators: the folders of this checkout install under the name bizgym"
    )
