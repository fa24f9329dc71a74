#include "pixels.h"

enum { LARGEST = 4096 };

// The lightness of a row's pixels; 0 for transparent ones.
static void light_row(const uint8_t *row, const uint8_t *lights, size_t width, uint8_t *out) {
  if (lights) {
    for (size_t i = 0; i < width; i++) out[i] = lights[row[i]];
  } else {
    for (size_t i = 0; i < width; i++, row += 4) {
      out[i] = row[3] == 255 ? (uint8_t)((2 * row[0] + 5 * row[1] + row[2]) >> 3) : 0;
    }
  }
}

// Adds to both sums of each cell: the squares of the differences between neighbours of a row, and half the squares of how much
// they change to the row below. The last of `group` cells has one difference less, since one between two groups belongs to neither.
static void add_print(const uint8_t *row, const uint8_t *below, size_t cells, size_t group, size_t side, uint32_t *sums) {
  for (size_t cell = 0; cell < cells; cell++, row += side, below += side) {
    size_t count = (cell + 1) % group != 0 ? side : side - 1;
    uint32_t differences = 0, changes = 0;
    for (size_t i = 0; i < count; i++) {
      int32_t difference = row[i + 1] - row[i];
      int32_t change = difference - (below[i + 1] - below[i]);
      differences += (uint32_t)(difference * difference);
      changes += (uint32_t)(change * change);
    }
    sums[2 * cell] += differences;
    sums[2 * cell + 1] += changes / 2;
  }
}

static void halve_row(const uint8_t *above, const uint8_t *below, size_t width, uint8_t *out) {
  for (size_t i = 0; i < width; i++) {
    out[i] = (uint8_t)((above[2 * i] + above[2 * i + 1] + below[2 * i] + below[2 * i + 1] + 2) >> 2);
  }
}

int chartpipe_tile_detail(const uint8_t *image, const uint8_t *palette, size_t side, size_t cells, uint32_t *own,
                          uint32_t *halved) {
  if (side > LARGEST || side % (4 * cells) != 0) return 0;
  uint8_t lights[256], rows[4][LARGEST], halves[2][LARGEST / 2];
  if (palette) light_row(palette, NULL, 256, lights);
  const uint8_t *table = palette ? lights : NULL;
  const size_t stride = side * (palette ? 1 : 4), cell = side / cells;
  for (size_t row = 0; row < side; row += 4) {
    size_t used = row % 8 == 0 ? 4 : 2;
    for (size_t i = 0; i < used; i++) light_row(image + (row + i) * stride, table, side, rows[i]);
    add_print(rows[0], rows[1], cells, cells / 2, cell, own + 2 * (row / cell * cells));
    if (used < 4) continue;
    for (size_t i = 0; i < 2; i++) halve_row(rows[2 * i], rows[2 * i + 1], side / 2, halves[i]);
    add_print(halves[0], halves[1], cells / 2, cells / 2, cell, halved + 2 * (row / 2 / cell * (cells / 2)));
  }
  return 1;
}
