"""Files of others over HTTPS."""

import hashlib
import urllib.request
from http.client import HTTPException

from cryptile.errors import CryptileError


def https(url: str) -> bytes:
    """Return what a URL gives.

    Raises:
        CryptileError: it gives nothing; the text names it.
    """
    try:
        with urllib.request.urlopen(url, timeout=120) as answer:
            if not answer.url.startswith("https://"):
                raise CryptileError(f"{url} leads to {answer.url}, which is not HTTPS")
            data: bytes = answer.read()
    except (OSError, HTTPException) as error:
        raise CryptileError(f"cannot get {url}: {error}") from error
    return data


def checked(data: bytes, digest: str, what: str) -> bytes:
    """Return data that has this hash; ``what`` it is the error says.

    Raises:
        CryptileError: it has another one.
    """
    if hashlib.sha256(data).hexdigest() != digest:
        raise CryptileError(f"{what} has another hash than expected")
    return data
