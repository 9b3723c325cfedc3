"""The table: a server at which people play in the browser, against agents and with each other.

Nothing of it is imported by `kibitz` itself: it needs the extra `web`.
"""
