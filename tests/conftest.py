"""What holds for all tests."""

import signal

import pytest

# What helpers assert is explained when it fails, as in the tests themselves.
pytest.register_assert_rewrite("web_process", "page_common")

# A shell starts jobs in the background deaf to Ctrl-C, and so would be the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
