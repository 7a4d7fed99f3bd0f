"""Verification of a finished match from its updates alone. Pure."""

from tabnet.client.verify.verification import Verified, verify

__all__ = ["Verified", "verify"]
