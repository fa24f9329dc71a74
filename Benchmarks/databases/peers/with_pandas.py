"""A typical pandas script: read_csv, to_sql, and an index for each identifier."""

import os
import sqlite3
import sys

import pandas

database = sqlite3.connect(sys.argv[1])
for path in sys.argv[2:]:
    name = os.path.basename(path)[:-4]
    pandas.read_csv(path, encoding="latin-1", low_memory=False).to_sql(name, database, index=False)
tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema")]
for table, column in (("APT_BASE", "ARPT_ID"), ("APT_RWY", "SITE_NO"), ("FIX_BASE", "FIX_ID"), ("NAV_BASE", "NAV_ID"), ("DOF", "OAS")):
    if table in tables:
        database.execute(f"CREATE INDEX {table}_{column} ON {table}({column})")
database.commit()
