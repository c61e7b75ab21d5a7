"""SHA-256 without OpenSSL: `hashlib` takes as long to import as the agent takes to answer.

And the multiplier that mixes keys.
"""

try:
    from _sha2 import sha256  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # Python 3.11
    except ImportError:
        from hashlib import sha256

__all__ = ["mixer", "sha256"]

GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: Knuth's multiplicative hashing


def mixer(bits: int) -> int:
    """Return the odd number that spreads keys of so many bits evenly, times it modulo 2**bits."""
    return GOLDEN >> 64 - bits | 1
