"""The errors a user can cause or mend."""


class CryptileError(Exception):
    """A failure with one clear line for the user.

    The command line prints the message without a traceback and exits with ``exit_code``.
    """

    exit_code = 1


class UsageError(CryptileError):
    """Bad input from the user: a wrong key, length, file or option."""

    exit_code = 2


class MissingToolError(CryptileError):
    """A program or package that a command needs is not installed."""

    exit_code = 3
