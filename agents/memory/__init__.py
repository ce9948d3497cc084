"""What methods keep between the episodes of a run: sheets, playbooks and notes, and how a text is found again.

Everything here is plain data with bounds of its own. A model's reply can change it only by the operations that it
offers, and what comes out of it into a prompt is quoted there.
"""
