"""The multiplier that mixes keys."""

from __future__ import annotations

GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: Knuth's multiplicative hashing


def mixer(bits: int) -> int:
    """Return the odd multiplier that, modulo 2**bits, spreads keys of `bits` bits evenly."""
    return GOLDEN >> 64 - bits | 1
