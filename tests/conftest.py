"""What all tests share: the same examples in every run, and no files of the user's own."""

import os
from tempfile import mkdtemp

from hypothesis import settings

settings.register_profile("bizgym", derandomize=True, deadline=None, database=None)
settings.load_profile("bizgym")
os.environ["BIZGYM_CACHE"] = mkdtemp(prefix="bizgym-tests-")
