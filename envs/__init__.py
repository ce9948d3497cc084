"""BizGym environments: importing this module registers every id with Gymnasium."""

if "." not in __name__:
    raise ImportError("import bizgym.envs instead of envs: the folders of this checkout install under the name bizgym")

from typing import Any

from gymnasium import register

# Every environment refuses a step out of turn itself (gymnasium.error.ResetNeeded), without a wrapper in each step.
register(id="bizgym/BeerGame-v0", entry_point="bizgym.envs.beer_game.env:BeerGameEnv", order_enforce=False)
register(id="bizgym/DigitalTwin-v0", entry_point="bizgym.envs.digital_twin.env:DigitalTwinEnv", order_enforce=False)
register(
    id="bizgym/PaymentWorkflows-v0", entry_point="bizgym.envs.payments.env:PaymentWorkflowsEnv", order_enforce=False
)
register(id="bizgym/EnterpriseQA-v0", entry_point="bizgym.envs.qa.env:EnterpriseQAEnv", order_enforce=False)
register(id="bizgym/Consulting-v0", entry_point="bizgym.envs.consulting.env:ConsultingEnv", order_enforce=False)


def __getattr__(name: str) -> Any:
    if name == "make_vec":
        from .core.vector import make_vec

        return make_vec
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
