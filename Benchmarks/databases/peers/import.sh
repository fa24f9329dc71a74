#!/bin/bash
# A manual import with the sqlite3 program: import.sh bare|typed DATABASE CSV ...
# Bare, every column is text. Typed, numbers are numbers, and there are indexes, an R-tree and a full-text index.
set -eu
kind=$1 database=$2
shift 2
{
  echo "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
  echo ".mode csv"
  for file in "$@"; do
    name=$(basename "$file" .csv)
    if [ "$kind" = bare ]; then
      echo ".import $file $name"
    else
      columns=$(head -n 1 "$file" | tr -d '"\r' | tr ' ' '_' | tr ',' '\n' \
        | sed -E 's/^(.*(LATDEC|LONDEC|AGL|AMSL|QUANTITY|DECIMAL|ELEV|_LEN|_WIDTH|TPA|MAG_VARN|DEG|MIN|SEC|ACREAGE|FREQ|TRUE_ALIGNMENT))$/\1 REAL/' | paste -sd,)
      echo "CREATE TABLE $name($columns);"
      echo ".import --skip 1 $file $name"
    fi
  done
  case "$kind $*" in
    typed*/DOF.csv) cat <<'SQL' ;;
CREATE UNIQUE INDEX obstacle_number ON DOF(OAS);
CREATE VIRTUAL TABLE obstacles_rtree USING rtree(id, minLat, maxLat, minLon, maxLon);
INSERT INTO obstacles_rtree SELECT rowid, LATDEC, LATDEC, LONDEC, LONDEC FROM DOF;
SQL
    typed*) cat <<'SQL'
CREATE INDEX airport_ident ON APT_BASE(ARPT_ID);
CREATE INDEX airport_icao ON APT_BASE(ICAO_ID);
CREATE INDEX airport_site ON APT_BASE(SITE_NO, SITE_TYPE_CODE);
CREATE INDEX runway_site ON APT_RWY(SITE_NO, SITE_TYPE_CODE);
CREATE INDEX fix_ident ON FIX_BASE(FIX_ID);
CREATE INDEX navaid_ident ON NAV_BASE(NAV_ID);
CREATE VIRTUAL TABLE airports_rtree USING rtree(id, minLat, maxLat, minLon, maxLon);
INSERT INTO airports_rtree SELECT rowid, LAT_DECIMAL, LAT_DECIMAL, LONG_DECIMAL, LONG_DECIMAL FROM APT_BASE;
CREATE VIRTUAL TABLE airports_fts USING fts5(ICAO_ID, ARPT_ID, ARPT_NAME, CITY, content='APT_BASE', prefix='2');
INSERT INTO airports_fts(airports_fts) VALUES ('rebuild');
SQL
    for table in APT_RMK APT_RWY_END; do
      case " $* " in *"/$table.csv "*) echo "CREATE INDEX ${table}_site ON $table(SITE_NO, SITE_TYPE_CODE);" ;; esac
    done
    case " $* " in *"/FRQ.csv "*) echo "CREATE INDEX frequency_airport ON FRQ(SERVICED_FACILITY);" ;; esac
    ;;
  esac
} | sqlite3 "$database" >/dev/null 2>&1
