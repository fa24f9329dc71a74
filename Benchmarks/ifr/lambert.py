"""Lambert conformal conic on GRS 80, rotated geotransforms and distances to a face. No PROJ: checks with it are independent of the program."""

import math

import numpy as np

RADIUS, FLATTENING = 6378137.0, 1 / 298.257222101
SQUARED = 2 * FLATTENING - FLATTENING ** 2
ECCENTRICITY = math.sqrt(SQUARED)


class Lambert:
    """Longitude and latitude to metres and back."""

    def __init__(self, parallel1, parallel2, latitude, longitude):
        self.parameters = (parallel1, parallel2, latitude, longitude)
        first, second, origin = (math.radians(value) for value in (parallel1, parallel2, latitude))
        width = [math.cos(angle) / math.sqrt(1 - SQUARED * math.sin(angle) ** 2) for angle in (first, second)]
        t = [float(self.t(np.float64(angle))) for angle in (first, second, origin)]
        self.n = math.log(width[0] / width[1]) / math.log(t[0] / t[1])
        self.scale = RADIUS * width[0] / (self.n * t[0] ** self.n)
        self.origin = self.scale * t[2] ** self.n

    @staticmethod
    def t(angle):
        sine = ECCENTRICITY * np.sin(angle)
        return np.tan(np.pi / 4 - angle / 2) / ((1 - sine) / (1 + sine)) ** (ECCENTRICITY / 2)

    def forward(self, lon, lat):
        lon, lat = np.asarray(lon, float), np.asarray(lat, float)
        radius = self.scale * self.t(np.radians(lat)) ** self.n
        angle = self.n * np.radians(wrapped(lon - self.parameters[3]))
        return radius * np.sin(angle), self.origin - radius * np.cos(angle)

    def inverse(self, x, y):
        x, y = np.asarray(x, float), self.origin - np.asarray(y, float)
        t = (np.hypot(x, y) / self.scale) ** (1 / self.n)
        lon = self.parameters[3] + np.degrees(np.arctan2(x, y) / self.n)
        angle = np.pi / 2 - 2 * np.arctan(t)
        for _ in range(8):
            sine = ECCENTRICITY * np.sin(angle)
            angle = np.pi / 2 - 2 * np.arctan(t * ((1 - sine) / (1 + sine)) ** (ECCENTRICITY / 2))
        return wrapped(lon), np.degrees(angle)


def wrapped(degrees):
    return (degrees + 180) % 360 - 180


def rotated(size, degrees, column, row, x, y):
    """Geotransform of square pixels turned anticlockwise that puts the place (column, row) at (x, y)."""
    cosine, sine = (size * f(math.radians(degrees)) for f in (math.cos, math.sin))
    if degrees % 90 == 0:
        cosine, sine = size * round(cosine / size), size * round(sine / size)
    return [x - column * cosine - row * sine, cosine, sine, y - column * sine + row * cosine, sine, -cosine]


def apply(transform, column, row):
    a, b, c, d, e, f = transform
    return a + column * b + row * c, d + column * e + row * f


def unapply(transform, x, y):
    a, b, c, d, e, f = transform
    u, v, area = x - a, y - d, b * f - c * e
    return (u * f - v * c) / area, (v * b - u * e) / area


def box_depth(column, row, box):
    """Signed distance to a box (left, top, right, bottom): positive inside."""
    dx, dy = np.minimum(column - box[0], box[2] - column), np.minimum(row - box[1], box[3] - row)
    inside = np.minimum(dx, dy)
    return np.where(inside >= 0, inside, -np.hypot(np.minimum(dx, 0), np.minimum(dy, 0)))


def face_depth(column, row, face, holes):
    """Signed distance to the face less its holes, in pixels of the sheet; exact up to inner corners."""
    depth = box_depth(column, row, face)
    for hole in holes:
        depth = np.minimum(depth, -box_depth(column, row, hole))
    return depth
