#!/usr/bin/env python3
"""Grows a Digital Obstacle File of full size, in the FAA's form and with invented rows, for measuring.

    python3 Benchmarks/make_obstacles.py DOF_CSV.zip [ROWS]

The same call gives the same rows. Widths, padding, line ends and the shares of codes are those of the real file: unquoted,
padded with blanks and zeros, sorted by state, one row in a hundred dismantled.
"""
import random
import sys
import zipfile

HEADER = ("OAS,VERIFIED STATUS,COUNTRY,STATE,CITY,LATDEC,LONDEC,DMSLAT,DMSLON,TYPE,QUANTITY,AGL,AMSL,LIGHTING,ACCURACY,"
          "MARKING,FAA STUDY,ACTION,JDATE\r\n")
TYPES = ["TOWER", "UTILITY POLE", "POLE", "BLDG", "STACK", "WINDMILL", "T-L TWR", "TANK", "ANTENNA", "CRANE"]
STATES = ["AL", "AK", "AZ", "CA", "CO", "FL", "GA", "IA", "IL", "KS", "MN", "NY", "OH", "OK", "PA", "TX", "WA"]


def dms(degrees, width, marks):
    seconds = round(abs(degrees) * 360000)
    whole, rest = divmod(seconds, 360000)
    return f"{whole:0{width}} {rest // 6000:02} {rest % 6000 / 100:05.2f}{marks[degrees < 0]}"


def rows(count):
    chance = random.Random(2026)
    for state in range(len(STATES)):
        share = count // len(STATES) + (state < count % len(STATES))
        for number in range(1, share + 1):
            latitude, longitude = chance.uniform(25, 49), chance.uniform(-124, -67)
            height, ground = int(chance.paretovariate(1.2) * 60) % 1900 + 5, chance.randrange(-100, 6000)
            above = height + ground
            study = f"{chance.randrange(1990, 2026)}{chance.choice(['ASW', 'AWP', 'ANE'])}{chance.randrange(99999):05}OE"
            yield ",".join([
                f"{state + 1:02}-{number:06}", chance.choice("OOOU"), "US", STATES[state],
                f"CITY {chance.randrange(900)}".ljust(16), f"{latitude:.6f}", f"{longitude:.6f}",
                dms(latitude, 2, "NS"), dms(longitude, 3, "EW"), chance.choice(TYPES).ljust(18), "1",
                f"{height:05}", f"-{-above:05}" if above < 0 else f"{above:05}", chance.choice("NNNNRDLUMH"),
                f" {chance.choice('1245')}{chance.choice('ABCDE')}", chance.choice("NNNPMU"),
                study if chance.random() < 0.6 else " " * 14, chance.choice("ACD" if chance.random() < 0.03 else "AAC"),
                f"{chance.randrange(1995, 2026)}{chance.randrange(1, 366):03} ",
            ]) + "\r\n"


def main():
    target, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 600_000
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("DOF.CSV", "w") as table:
            table.write(HEADER.encode("latin-1"))
            for row in rows(count):
                table.write(row.encode("latin-1"))


if __name__ == "__main__":
    main()
