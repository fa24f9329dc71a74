#!/usr/bin/env python3
"""Makes a list of terminal procedures in the FAA's form from a table of charts.

    make_plates.py --records CHARTS.csv[.gz] --folder DIR [--cycle 2610]

The table has the columns STATE_ID, FAA_CODE, TPP_VOLUME, MILITARY_USE, CHART_SEQ, CHART_CODE, CHART_NAME, USER_ACTION, PDF_NAME, FAANFD18_CODE and
COPTER_USE, sorted by state and airport. It writes DIR/d-TPP_Metafile.xml. Names of cities and airports are made up.
"""

import argparse
import csv
import datetime
import gzip
import itertools
import os
from xml.sax.saxutils import escape, quoteattr

from cycles import effective

TABLE = {"chartseq": "CHART_SEQ", "chart_code": "CHART_CODE", "chart_name": "CHART_NAME", "useraction": "USER_ACTION", "pdf_name": "PDF_NAME",
         "faanfd18": "FAANFD18_CODE", "copter": "COPTER_USE"}
ORDER = ["chartseq", "chart_code", "chart_name", "useraction", "pdf_name", "cn_flg", "cnsection", "cnpage", "bvsection", "bvpage", "procuid",
         "two_colored", "civil", "faanfd18", "copter", "amdtnum", "amdtdate"]
SAME = {"cn_flg": "N", "bvsection": "L", "two_colored": "N", "civil": "D", "amdtnum": "2B", "amdtdate": "5/29/2014"}


def opened(name, **attributes):
    return f"<{name}" + "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items()) + ">\n"


def metafile(rows, cycle):
    day = effective(cycle)
    first, last = (f"0901Z  {date:%m/%d/%y}" for date in (day, day + datetime.timedelta(28)))
    yield '<?xml version="1.0" encoding="UTF-8"?>\n' + opened("digital_tpp", cycle=cycle, from_edate=first, to_edate=last)
    for state, charts in itertools.groupby(rows, lambda row: row["STATE_ID"]):
        yield opened("state_code", ID=state, state_fullname=f"State {state}")
        for (airport, volume, military), records in itertools.groupby(charts, lambda row: (row["FAA_CODE"], row["TPP_VOLUME"], row["MILITARY_USE"])):
            records = list(records)
            icao = f"K{airport}" if len(airport) == 3 and airport.isalpha() else ""
            yield opened("city_name", ID=f"CITY & {airport}", volume=volume)
            yield opened("airport_name", ID=f'{airport} "FIELD"', military=military, apt_ident=airport, icao_ident=icao, alnum=records[0]["PDF_NAME"][:5])
            for record in records:
                values = {name: SAME.get(name, "") for name in ORDER} | {name: record[column] for name, column in TABLE.items()}
                yield "<record>" + "".join(f"<{name}>{escape(value)}</{name}>" for name, value in values.items()) + "</record>\n"
            yield "</airport_name></city_name>\n"
        yield "</state_code>\n"
    yield "</digital_tpp>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--cycle", default="2610")
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    reading = gzip.open if asked.records.endswith(".gz") else open
    with reading(asked.records, "rt", newline="") as table, open(f"{asked.folder}/d-TPP_Metafile.xml", "w") as file:
        file.writelines(metafile(csv.DictReader(table), asked.cycle))


if __name__ == "__main__":
    main()
