"""The multiplier that mixes keys, so that similar keys spread over the whole range."""

from __future__ import annotations

GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: Knuth's multiplicative hashing


def mixer(bits: int) -> int:
    """Return the odd factor that, modulo 2**bits, spreads keys of `bits` bits evenly."""
    return GOLDEN >> 64 - bits | 1
