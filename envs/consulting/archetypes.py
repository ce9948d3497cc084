"""The kinds of cases."""

ARCHETYPES: dict[str, int] = {
    "profitability": 5,
    "market_entry": 4,
    "pricing": 4,
    "mergers": 4,
    "capacity": 4,
    "cost_reduction": 4,
    "growth": 4,
    "new_product": 3,
    "automation": 3,
    "operations": 3,
    "supply_chain": 3,
    "public_sector": 2,
    "turnaround": 2,
    "sustainability": 2,
}
"""The kinds of cases, and how many blueprints there are of each."""
