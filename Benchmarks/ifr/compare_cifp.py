#!/usr/bin/env python3
"""Compares every value of `procedures.sqlite` with the file that it was made from, as read_cifp.py reads it.

    compare_cifp.py procedures.sqlite FAACIFP18

It prints each column that differs, with examples, and the columns that are not compared. Ends with 1 on a difference.
"""

import collections
import sqlite3
import sys

from read_cifp import ADDITIONS, LAYOUTS, TABLES, rows


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    base.row_factory = sqlite3.Row
    expected = collections.defaultdict(list)
    for kind, found in rows(sys.argv[2]):
        expected[kind].append(found)
    tables = {table: kinds(text) for table, text in TABLES.items()}
    faults = sum([compare(base, table, names, expected) for table, names in tables.items()])
    sys.exit(bool(faults))


def kinds(text):
    return [text[start:start + 2] for start in range(0, len(text), 3)]


def compare(base, table, names, expected):
    """The number of differences in a table. Its rows are in the order of the file, kind by kind."""
    faults, equal, left = collections.defaultdict(list), 0, set()
    stored = list(base.execute(f"SELECT * FROM {table} ORDER BY id"))
    # A column that only another kind or a continuation has is NULL.
    absent = dict.fromkeys(field.name for kind in names for fields in layouts(kind) for field in fields)
    for kind in names:
        wanted = expected[kind]
        if table == "airspaces":
            wanted = heads(wanted)
        found = [row for row in stored if len(names) == 1 or row["section"] == kind]
        if len(found) != len(wanted):
            faults[f"rows of {kind}"] = [(None, len(wanted), len(found))]
            continue
        for row, values in zip(found, wanted):
            values = {**absent, **values}
            left |= set(row.keys()) - set(values)
            for column in set(row.keys()) & set(values):
                if same(row[column], values[column]):
                    equal += 1
                else:
                    faults[column].append((row["id"], values[column], row[column]))
    count = sum(map(len, faults.values()))
    print(f"{table}: {len(stored)} rows, {equal} values equal, {count} differ; not compared: {', '.join(sorted(left)) or 'none'}")
    for column, examples in faults.items():
        row, wanted, found = examples[0]
        print(f"  {column}: {len(examples)} differ, such as row {row}: {wanted!r} in the file, {found!r} in the database")
    return count


def layouts(kind):
    return [LAYOUTS[kind]] + [fields for key, fields in ADDITIONS.items() if key.startswith(kind)]


def heads(corners):
    """The first record of each area, which has its limits and its name: an area ends at a boundary whose second letter is E."""
    first, found = True, []
    for corner in corners:
        if first:
            found.append(corner)
        first = (corner["via"] or "  ")[1] == "E"
    return found


def same(found, wanted):
    if isinstance(found, (int, float)) and isinstance(wanted, (int, float)):
        return abs(found - wanted) < 1e-9
    return found == wanted


if __name__ == "__main__":
    main()
