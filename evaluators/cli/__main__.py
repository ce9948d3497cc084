"""`python -m bizgym.evaluators.cli` is the command `bizgym`."""

import sys

from . import main

sys.exit(main())
