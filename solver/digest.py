"""SHA-256 without OpenSSL: `hashlib` takes as long to import as the agent takes to answer."""

try:
    from _sha2 import sha256  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # Python 3.11
    except ImportError:
        from hashlib import sha256

__all__ = ["sha256"]
