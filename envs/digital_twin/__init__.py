"""The Enterprise Digital Twin: a consulting firm that chooses its staff, its revenue risk and its projects.

kernel.py       the rules of one step, on plain tables; the only place where they stand
scenario.py     what a firm is: agents in the order in which they act, the clock, the gate
state.py        frozen state, a pure step, and whole runs
kpis.py         the figures that controlling reports, and what became of each project
"""
