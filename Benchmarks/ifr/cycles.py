"""The FAA's cycles of 28 days."""

import datetime


def effective(cycle):
    """The first day of a cycle such as 2610: every 28 days from 2 January 2020, counted within the year."""
    first = datetime.date(2020, 1, 2)
    while first.year < 2000 + int(cycle[:2]):
        first += datetime.timedelta(28)
    return first + datetime.timedelta(28 * (int(cycle[2:]) - 1))
