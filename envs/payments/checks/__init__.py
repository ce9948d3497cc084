"""Checks: one language for goals, process and protection, compiled to monitors that are fed one event at a time.

expressions.py  values and predicates over an event and the state around it
patterns.py     which events a check is about
monitors.py     one automaton for each form of check
spec.py         checks as data, and the verdict on an event log
"""
