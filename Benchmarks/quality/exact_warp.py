"""The exact warp: cubic convolution of a Lambert sheet onto Web Mercator, in double precision, every position from
the projection's own formulas. Nothing here comes from GDAL, PROJ or chartpipe."""

import numpy as np

SEMI_MAJOR = 6378137.0
FLATTENING = 1 / 298.257222101
ECCENTRICITY = np.sqrt(FLATTENING * (2 - FLATTENING))
WORLD = 2 * np.pi * SEMI_MAJOR


class Lambert:
    """A conformal cone with two standard parallels."""

    def __init__(self, parallel_1, parallel_2, latitude_0, longitude_0):
        p1, p2, p0 = np.radians([parallel_1, parallel_2, latitude_0])
        self.longitude_0 = longitude_0
        self.n = np.log(self._m(p1) / self._m(p2)) / np.log(self._t(p1) / self._t(p2))
        self.f = SEMI_MAJOR * self._m(p1) / (self.n * self._t(p1) ** self.n)
        self.radius_0 = self.f * self._t(p0) ** self.n

    @staticmethod
    def _m(latitude):
        return np.cos(latitude) / np.sqrt(1 - (ECCENTRICITY * np.sin(latitude)) ** 2)

    @staticmethod
    def _t(latitude):
        es = ECCENTRICITY * np.sin(latitude)
        return np.tan(np.pi / 4 - latitude / 2) / ((1 - es) / (1 + es)) ** (ECCENTRICITY / 2)

    def project(self, longitude, latitude):
        radius = self.f * self._t(np.radians(latitude)) ** self.n
        turn = (longitude - self.longitude_0 + 180) % 360 - 180
        angle = self.n * np.radians(turn)
        return radius * np.sin(angle), self.radius_0 - radius * np.cos(angle)


def cubic(x):
    x = np.abs(x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))


class ExactWarp:
    """`pixels` are the colours of the whole sheet, or a function that gives those of a window of it."""

    def __init__(self, projection, geotransform, width, height, window):
        self.projection = projection
        self.origin_x, self.pixel, _, self.origin_y, _, _ = geotransform
        self.width, self.height = width, height
        self.window = window

    def positions(self, zoom, column, row, side, shift=(0.0, 0.0)):
        """The sheet positions of the middles of a tile's pixels, in pixels from the upper left corner."""
        step = WORLD / 2**zoom / side
        x = -WORLD / 2 + (column * side + np.arange(side) + 0.5 + shift[0]) * step
        y = WORLD / 2 - (row * side + np.arange(side) + 0.5 + shift[1]) * step
        longitude = np.degrees(x / SEMI_MAJOR)[None, :]
        latitude = np.degrees(np.arctan(np.sinh(y / SEMI_MAJOR)))[:, None]
        px, py = self.projection.project(*np.broadcast_arrays(longitude, latitude))
        return (px - self.origin_x) / self.pixel, (self.origin_y - py) / self.pixel

    def tile(self, zoom, column, row, side=256, shift=(0.0, 0.0)):
        """The colours as floating-point numbers, or None if the kernel reaches beyond the sheet."""
        x, y = self.positions(zoom, column, row, side, shift)
        middle = side // 2
        scale = max(1.0, np.hypot(x[middle, middle + 1] - x[middle, middle], y[middle, middle + 1] - y[middle, middle]))
        reach = int(np.ceil(2 * scale))
        left, top = int(np.floor(x.min())) - reach - 1, int(np.floor(y.min())) - reach - 1
        right, bottom = int(np.ceil(x.max())) + reach + 1, int(np.ceil(y.max())) + reach + 1
        if left < 0 or top < 0 or right > self.width or bottom > self.height:
            return None
        source = self.window(left, top, right - left, bottom - top)
        return self._resample(source, x - left - 0.5, y - top - 0.5, scale, reach)

    @staticmethod
    def _resample(source, x, y, scale, reach):
        first_x, first_y = np.floor(x).astype(int), np.floor(y).astype(int)
        total = np.zeros(x.shape + (3,))
        taps = range(1 - reach, reach + 1)
        across = np.stack([cubic((first_x + k - x) / scale) for k in taps])
        down = np.stack([cubic((first_y + k - y) / scale) for k in taps])
        across /= across.sum(0)
        down /= down.sum(0)
        for j, dy in enumerate(taps):
            for i, dx in enumerate(taps):
                total += (across[i] * down[j])[..., None] * source[first_y + dy, first_x + dx]
        return np.clip(total, 0, 255)
