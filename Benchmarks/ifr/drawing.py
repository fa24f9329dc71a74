"""Draws a sheet with cairo. Every coordinate is a place in pixels, (0, 0) the outer corner of the first one."""

import math
import random

import cairo
import numpy as np

from lambert import face_depth, wrapped

# The inks and tints of a print; the dot's ink occurs nowhere else.
INKS = {"white": (255, 255, 255), "dot": (230, 0, 40), "black": (35, 31, 32), "blue": (0, 84, 166), "brown": (140, 92, 52), "green": (0, 122, 77),
        "grey": (128, 130, 133), "magenta": (186, 38, 132), "navy": (28, 52, 110), "purple": (104, 76, 152), "water": (222, 238, 247),
        "tan": (243, 233, 214), "pale": (206, 226, 241), "moa": (236, 222, 206)}
TINTS = ["water", "water", "tan", "tan", "pale", "moa", "white"]
TITLES = ["LEGEND", "AIR/GROUND COMMUNICATIONS", "SPECIAL USE AIRSPACE", "ATIS 124.7", "CLASS B", "Scale 1:1,000,000", "14 NM"]
FONT = "DejaVu Sans Condensed"
CLEAR = 44  # paper around the frame


class Print:
    def __init__(self, width, height, seed):
        self.width, self.height, self.chance = width, height, random.Random(seed)
        self.surface = cairo.ImageSurface(cairo.FORMAT_RGB24, width, height)
        self.context = cairo.Context(self.surface)
        self.ink("white")
        self.context.paint()

    @property
    def pixels(self):
        """A view of height x width x (red, green, blue)."""
        self.surface.flush()
        shape, strides = (self.height, self.width, 4), (self.surface.get_stride(), 4, 1)
        return np.ndarray(shape, np.uint8, self.surface.get_data(), strides=strides)[:, :, 2::-1]

    def ink(self, name):
        self.context.set_source_rgb(*(value / 255 for value in INKS[name]))

    def line(self, points, ink, width, dash=()):
        self.ink(ink)
        self.context.set_line_width(width)
        self.context.set_dash(dash)
        self.path(points)
        self.context.stroke()
        self.context.set_dash(())

    def path(self, points):
        self.context.move_to(*points[0])
        for point in points[1:]:
            self.context.line_to(*point)

    def text(self, x, y, text, ink, size, angle=0, bold=False):
        context = self.context
        context.save()
        context.translate(x, y)
        context.rotate(angle)
        context.select_font_face(FONT, cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_BOLD if bold else cairo.FONT_WEIGHT_NORMAL)
        context.set_font_size(size)
        self.ink(ink)
        context.move_to(0, 0)
        context.show_text(text)
        context.restore()

    def box(self, box, fill=None, edge=None, width=2):
        self.context.rectangle(box[0], box[1], box[2] - box[0], box[3] - box[1])
        self.paint(fill, edge, width)

    def disc(self, x, y, radius, fill=None, edge=None, width=2):
        self.context.new_path()
        self.context.arc(x, y, radius, 0, 2 * math.pi)
        self.paint(fill, edge, width)

    def paint(self, fill, edge, width):
        """Fills and strokes the path."""
        if fill:
            self.ink(fill)
            self.context.fill_preserve()
        if edge:
            self.ink(edge)
            self.context.set_line_width(width)
            self.context.stroke_preserve()
        self.context.new_path()

    def clip(self, box):
        self.context.rectangle(box[0], box[1], box[2] - box[0], box[3] - box[1])
        self.context.clip()

    def within(self, box, count):
        for _ in range(int(count)):
            yield self.chance.uniform(box[0], box[2]), self.chance.uniform(box[1], box[3])

    def words(self):
        r = self.chance
        return r.choice([f"V{r.randint(2, 599)}", f"{r.randint(1, 360):03d}°", f"{r.randint(20, 150)}00", f"*{r.randint(20, 90)}00",
                         f"{r.randint(9, 180)}", f"{r.randint(118, 135)}.{r.randint(0, 95):02d}", f"T{r.randint(200, 399)}", "MOA", "CTA/FIR",
                         f"R-{r.randint(2000, 7000)}", "MCA V12 8400 W", "CONTROLLED FIREFLY RDO", f"L {r.randint(10, 99)} {r.choice('ILMS')}", "OROCA"])

    def tints(self, box):
        for x, y in self.within(box, area(box) * 3 + 4):
            self.blob(x, y, self.chance.uniform(150, 700), self.chance.choice(TINTS), self.chance.choice([None, None, "blue", "brown"]))

    def blob(self, x, y, radius, fill, edge):
        count, context = 14, self.context
        points = []
        for number in range(count):
            far, angle = radius * self.chance.uniform(.55, 1.2), number * 2 * math.pi / count
            points.append((x + far * math.cos(angle), y + far * math.sin(angle)))
        middles = [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in zip(points, points[1:] + points[:1])]
        context.move_to(*middles[-1])
        for point, middle in zip(points, middles):
            context.curve_to(*point, *point, *middle)
        context.close_path()
        self.paint(fill, edge, 1.5)

    def airways(self, places):
        """Lines from each place to its three nearest ones, with a text along each."""
        places, r = np.asarray(places, float).reshape(-1, 2), self.chance
        for start in places:
            for end in places[np.argsort(np.hypot(*(places - start).T))[1:4]]:
                ink = r.choice(["black", "black", "blue", "grey", "brown"])
                self.line([start, end], ink, r.choice([2, 2.5, 3]), r.choice([(), (), (), (14, 8)]))
                middle, angle = (start + end) / 2, math.atan2(end[1] - start[1], end[0] - start[0])
                self.text(middle[0], middle[1] - 5, self.words(), ink, 13, angle + math.pi if abs(angle) > math.pi / 2 else angle)

    def details(self, box):
        """Texts, boxes of text and hatched lines."""
        r = self.chance
        for x, y in self.within(box, area(box) * 90):
            kind = r.random()
            if kind < .06:
                self.box((x, y, x + 96, y + 20), "white", r.choice(["blue", "brown", "black"]), 1.5)
                self.text(x + 4, y + 15, self.words()[:11], "black", 12)
            elif kind < .1:
                self.hatched(x, y, r.choice(["magenta", "brown", "purple", "green"]), r.uniform(80, 300), r.uniform(0, 6.28))
            else:
                ink = r.choice(["black", "black", "blue", "brown", "green", "navy", "magenta", "purple"])
                self.text(x, y, self.words(), ink, r.choice([11, 12, 13, 15]), r.choice([0, 0, 0, r.uniform(-1, 1)]))

    def hatched(self, x, y, ink, length, angle):
        toward = lambda x, y, far, angle: (x + far * math.cos(angle), y + far * math.sin(angle))
        self.line([(x, y), toward(x, y, length, angle)], ink, 3)
        for number in range(int(length / 9)):
            foot = toward(x, y, 9 * number, angle)
            self.line([foot, toward(*foot, 9, angle + .9)], ink, 1.2)

    def navaid(self, x, y, ident, kind):
        ink = "brown" if kind == "NDB" else "black"
        ring = lambda radius, share: (x + radius * math.sin(share * 2 * math.pi), y - radius * math.cos(share * 2 * math.pi))
        if kind == "NDB":
            for radius in range(4, 16, 4):
                for number in range(radius * 2):
                    self.disc(*ring(radius, number / (radius * 2)), 1, "brown")
        else:
            self.disc(x, y, 56, None, "blue", 1.6)
            for number in range(36):
                self.line([ring(56, number / 36), ring(44 if number % 3 == 0 else 49, number / 36)], "blue", 1.4)
            self.path([ring(9, number / 6 + .25) for number in range(7)])
            self.paint("white", "black", 2)
            self.disc(x, y, 2, "black")
        self.box((x + 26, y + 20, x + 100, y + 46), "white", ink)
        self.text(x + 31, y + 38, f"{ident} {113 + ord(ident[0]) % 5}.{ord(ident[1]) % 10}", ink, 13, bold=True)

    def fix(self, x, y, ident, kind):
        ink = "blue" if kind == "WP" else "black"
        self.path([(x, y - 9), (x + 8, y + 5), (x - 8, y + 5)])
        self.context.close_path()
        self.paint("black" if kind == "RP-C" else "white", ink, 1.8)
        self.text(x + 11, y + 4, ident, ink, 13)

    def dot(self, x, y):
        """A mark whose centre can be measured: white around it, and an ink that nothing else has."""
        self.disc(x, y, 10, "white")
        self.disc(x, y, 1.5, "dot")

    def legend(self, face, title):
        """Texts, boxes and swatches outside the face and the clear paper around it."""
        around = (face[0] - CLEAR, face[1] - CLEAR, face[2] + CLEAR, face[3] + CLEAR)
        context, r = self.context, self.chance
        context.save()
        context.set_fill_rule(cairo.FILL_RULE_EVEN_ODD)
        context.rectangle(0, 0, self.width, self.height)
        self.clip(around)
        context.set_fill_rule(cairo.FILL_RULE_WINDING)
        for box in ((0, 0, around[0], self.height), (around[2], 0, self.width, self.height), (around[0], 0, around[2], around[1]),
                    (around[0], around[3], around[2], self.height)):
            if box[2] - box[0] < 30 or box[3] - box[1] < 18:
                continue
            for x, y in self.within((box[0] + 5, box[1] + 14, max(box[0] + 6, box[2] - 80), box[3] - 4), area(box) * 111 + 2):
                kind = r.random() if box[2] - box[0] > 150 else 1
                if kind < .08:
                    self.box((x, y, x + r.uniform(30, 120), y + r.uniform(20, 60)), r.choice(TINTS), "black", 1.5)
                elif kind < .12:
                    self.line([(x, y), (x + r.uniform(50, 150), y)], r.choice(["blue", "brown", "green", "black", "grey"]), 2.5)
                else:
                    text = r.choice(TITLES) if r.random() < .55 else self.words()
                    self.text(x, y, text, r.choice(["black", "black", "blue", "brown", "navy"]), r.choice([11, 13, 16]))
        self.text(20, min(60, face[1] - 8 if face[1] > 30 else 22), title, "black", 22, bold=True)
        context.restore()
        # Degrees stand in the clear paper beside the frame.
        for number in range(8):
            self.text(face[0] + (number + .5) / 8 * (face[2] - face[0]), face[1] - 8, f"{r.randint(70, 120)}°", "black", 12)

    def graticule(self, sheet):
        """Meridians and parallels every one, two or five degrees, each with its degrees."""
        face, step = sheet.face, sheet.options.get("step", 1)
        along = np.linspace(0, 1, 301)
        columns, rows = face[0] + along * (face[2] - face[0]), face[1] + along * (face[3] - face[1])
        lon, lat = sheet.lonlat(np.r_[columns, columns, 0 * along + face[0], 0 * along + face[2]],
                                np.r_[0 * along + face[1], 0 * along + face[3], rows, rows])
        middle = float(sheet.lonlat((face[0] + face[2]) / 2, (face[1] + face[3]) / 2)[0])
        lon = wrapped(lon - middle) + middle
        west, east, south, north = lon.min() - .2, lon.max() + .2, max(lat.min() - .2, -80), min(lat.max() + .2, 85)
        for degrees in range(math.ceil(west / step) * step, math.floor(east) + 1, step):
            lat = np.linspace(south, north, 200)
            self.labelled(np.c_[sheet.place(0 * lat + degrees, lat)], wrapped(degrees), degrees // step)
        for degrees in range(math.ceil(south / step) * step, math.floor(north) + 1, step):
            lon = np.linspace(west, east, 400)
            self.labelled(np.c_[sheet.place(lon, 0 * lon + degrees)], degrees, degrees // step)

    def labelled(self, points, degrees, number):
        self.line(points, "black", 1.5)
        x, y = points[len(points) * (3 + abs(number) % 5) // 10]
        self.text(x + 4, y - 3, f"{abs(degrees):g}°", "black", 13)


class TruthPrint(Print):
    """A sheet whose fixes, navaids and dots have known places."""

    def __init__(self, sheet, world):
        super().__init__(sheet.width, sheet.height, sheet.name)
        face = sheet.face
        self.legend(face, title(sheet))
        self.context.save()
        self.clip(face)
        self.tints(face)
        self.graticule(sheet)
        self.marks = self.symbols(sheet, world)
        self.dots = self.spread(sheet)
        for dot in self.dots:
            self.dot(*dot)
        if "panel" in sheet.options:
            self.panel(sheet.holes[0])
        if "inset" in sheet.options:
            self.inset(sheet.holes[-1])
        self.context.restore()
        self.box(face, None, "black", 4)

    def symbols(self, sheet, world):
        """Draws the fixes and navaids on the face, and returns them with their places."""
        face, mega = sheet.face, area(sheet.face)
        lat, lon = np.array([mark[0] for mark in world]), np.array([mark[1] for mark in world])
        x, y = sheet.place(lon, lat)
        middle = float(sheet.lonlat((face[0] + face[2]) / 2, (face[1] + face[3]) / 2)[0])
        seen = np.flatnonzero((np.abs(wrapped(lon - middle)) < 100) & (face_depth(x, y, face, sheet.holes) > 25))
        marks = [(x[number], y[number], world[number]) for number in seen]
        navaids = [mark for mark in marks if mark[2][3][0] in "VN"][:int(6 * mega) + 6]
        fixes = [mark for mark in marks if mark[2][3][0] not in "VN"][:int(45 * mega) + 10]
        self.airways([mark[:2] for mark in navaids])
        self.details(face)
        for x, y, mark in fixes:
            self.fix(x, y, *mark[2:])
        for x, y, mark in navaids:
            self.navaid(x, y, *mark[2:])
        return fixes + navaids

    def spread(self, sheet):
        """Dots all over the face and in its corners, apart from each other and from the symbols."""
        face, r = sheet.face, self.chance
        width, height = face[2] - face[0], face[3] - face[1]
        columns = 26
        rows = max(6, round(columns * height / width))
        dots = [(x, y) for x in (face[0] + 15.3, face[2] - 15.3) for y in (face[1] + 15.7, face[3] - 15.7)]
        dots += [(face[0] + width * (column + r.uniform(.15, .85)) / columns, face[1] + height * (row + r.uniform(.15, .85)) / rows)
                 for column in range(columns) for row in range(rows)]
        kept, taken = [], np.array([(x, y, 32) for x, y, _ in self.marks]).reshape(-1, 3)
        for dot in dots:
            near = np.hypot(taken[:, 0] - dot[0], taken[:, 1] - dot[1]) < taken[:, 2]
            if face_depth(*map(np.float64, dot), face, sheet.holes) > 14 and not near.any():
                kept.append(dot)
                taken = np.vstack([taken, (*dot, 24)])
        return kept

    def panel(self, box):
        """A panel of text in a corner of the face."""
        self.box(box, "white")
        for x, y in self.within((box[0] + 20, box[1] + 24, box[2] - 90, box[3] - 10), area(box) * 167):
            self.text(x, y, self.words(), self.chance.choice(["black", "blue", "brown"]), self.chance.choice([11, 13, 16]))
        self.box(box, None, "black", 4)

    def inset(self, box):
        """A map of another place: white paper at its rim, a frame, tints, lines of its own, and dots that must not show."""
        self.box(box, "white")
        inner = (box[0] + 40, box[1] + 40, box[2] - 40, box[3] - 40)
        self.context.save()
        self.clip(inner)
        self.box(inner, "water")
        for x, y in self.within(inner, 30):
            self.blob(x, y, self.chance.uniform(60, 200), self.chance.choice(TINTS), "brown")
        for number in range(1, 5):
            x, y = inner[0] + 173.5 * number, inner[1] + 191.5 * number
            self.line([(x, inner[1]), (x + 40, inner[3])], "black", 1.5)
            self.line([(inner[0], y), (inner[2], y - 33)], "black", 1.5)
        for x, y in self.within(inner, 120):
            self.text(x, y, self.words(), self.chance.choice(["black", "blue", "brown"]), 12)
        for x, y in self.within((inner[0] + 20, inner[1] + 20, inner[2] - 20, inner[3] - 20), 12):
            self.dot(x, y)
        self.context.restore()
        self.box(inner, None, "black", 4)


class NationalPrint(Print):
    """A sheet whose face is filled with pieces of one drawn square, since drawing each at full size is slow."""

    def __init__(self, sheet, square):
        super().__init__(sheet.width, sheet.height, sheet.name)
        face, side = sheet.face, len(square)
        self.legend(face, title(sheet))
        pixels = self.pixels
        for row in range(face[1], face[3], side):
            for column in range(face[0], face[2], side):
                piece = np.roll(square, (self.chance.randrange(side), self.chance.randrange(side)), (0, 1))
                piece = piece[:face[3] - row, :face[2] - column]
                pixels[row:row + len(piece), column:column + piece.shape[1]] = piece
        self.surface.mark_dirty()
        self.context.save()
        self.clip(face)
        self.graticule(sheet)
        self.context.restore()
        self.box(face, None, "black", 4)


def square(side):
    """A square of print without a graticule."""
    drawn, box = Print(side, side, "square"), (0, 0, side, side)
    drawn.tints(box)
    navaids = list(drawn.within(box, area(box) * 6))
    drawn.airways(navaids)
    drawn.details(box)
    for number, (x, y) in enumerate(drawn.within(box, area(box) * 45)):
        drawn.fix(x, y, "BADOR", ["RP", "WP", "WP", "RP-C"][number % 4])
    for number, (x, y) in enumerate(navaids):
        drawn.navaid(x, y, "ABQ", "NDB" if number % 5 == 0 else "VOR")
    return drawn.pixels.copy()


def area(box):
    """In megapixels."""
    return (box[2] - box[0]) * (box[3] - box[1]) / 1e6


def title(sheet):
    return f"{sheet.name} IFR ENROUTE {'HIGH' if 'H' in sheet.name else 'LOW'} ALTITUDE"
