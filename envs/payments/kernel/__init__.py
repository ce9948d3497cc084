"""The engine under the payments company; it knows no product.

money.py     amounts in integer minor units
records.py   typed, immutable records, and what their fields may hold
world.py     a shared base, an overlay for each episode, and every change as a delta
events.py    the log: who did what when, what was read, what changed
clock.py     logical minutes and a queue of what is due
rules.py     rules as data, and the one way to learn a value
conflicts.py the proof that every case has exactly one winning rule
tools.py     what a tool is: typed arguments, preconditions, effect, duration, footprint
engine.py    calls, waiting, and everything that happens by itself
"""
