"""`python -m tabnet` is the `tabnet` command."""

import sys

from tabnet.cli import main

if __name__ == "__main__":
    sys.exit(main())
