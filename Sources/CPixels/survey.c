#include "look_up.h"

#include <string.h>

enum { CELL_BITS = 16 };

// The four channels of a pixel as lanes of one number, so that they are added at once. A lane holds the sum of 257 pixels.
enum { RUN = 256 };

static uint64_t lanes(const uint8_t *pixel) {
  uint32_t alpha = pixel[3];
  if (alpha == 0) return 0;
  uint64_t red = (pixel[0] * alpha + 127) / 255, green = (pixel[1] * alpha + 127) / 255;
  uint64_t blue = (pixel[2] * alpha + 127) / 255;
  return red | green << 16 | blue << 32 | (uint64_t)alpha << 48;
}

static uint8_t lightness(const uint8_t *pixel) {
  return pixel[3] == 255 ? (uint8_t)((2 * pixel[0] + 5 * pixel[1] + pixel[2]) >> 3) : 0;
}

// An image of indexes has tables of its colours, each as lanes and channel by channel, and of their lightness.
struct picture {
  const uint8_t *image, *palette;
  size_t width, height;
  int is_wide;
  uint64_t colors[256];
  uint8_t channels[4][256], lights[256];
};

static const uint8_t *row_of(const struct picture *picture, size_t row) {
  return picture->image + row * picture->width * (picture->palette ? 1 : 4);
}

static uint64_t lanes_at(const struct picture *picture, const uint8_t *row, size_t column) {
  return picture->palette ? picture->colors[row[column]] : lanes(row + 4 * column);
}

#if defined(__x86_64__)
WIDE static void wide_sums(const struct picture *picture, const uint8_t *from, uint64_t *sums) {
  for (size_t i = 0; i < picture->width; i += 64) {
    const __m512i indexes = _mm512_loadu_si512(from + i);
    __m512i sum = _mm512_setzero_si512();
    for (int channel = 3; channel >= 0; channel--) {
      const __m512i levels = look_up(picture->channels[channel], indexes);
      sum = _mm512_or_si512(_mm512_slli_epi64(sum, 16), _mm512_sad_epu8(levels, _mm512_setzero_si512()));
    }
    _mm512_storeu_si512(sums + i / 8, sum);
  }
}
#else
static void wide_sums(const struct picture *picture, const uint8_t *from, uint64_t *sums) {}
#endif

static void light_row(const struct picture *picture, size_t row, uint8_t *restrict lights) {
  const uint8_t *from = row_of(picture, row), *table = picture->lights;
  const size_t width = picture->width;
  if (picture->palette) look_up_bytes(table, from, width, lights);
  else for (size_t i = 0; i < width; i++) lights[i] = lightness(from + 4 * i);
}

enum { BLOCK = 8 };

// Writes the sum of the row's pixels before each block of eight. The sums overflow, but the difference of two is right for up to
// 257 pixels.
static void total_row(const struct picture *picture, const uint8_t *from, uint64_t *restrict totals) {
  const uint64_t *colors = picture->colors;
  const size_t blocks = picture->width / BLOCK;
  totals[0] = 0;
  if (picture->is_wide) {
    wide_sums(picture, from, totals + 1);
    for (size_t i = 0; i < blocks; i++) totals[i + 1] += totals[i];
  } else if (picture->palette) {
    for (size_t i = 0; i < blocks; i++, from += BLOCK)
      totals[i + 1] = totals[i] + (colors[from[0]] + colors[from[1]]) + (colors[from[2]] + colors[from[3]])
                      + (colors[from[4]] + colors[from[5]]) + (colors[from[6]] + colors[from[7]]);
  } else {
    for (size_t i = 0; i < blocks; i++) {
      totals[i + 1] = totals[i];
      for (size_t end = 4 * (i + 1) * BLOCK, at = 4 * i * BLOCK; at < end; at += 4) totals[i + 1] += lanes(from + at);
    }
  }
}

// The sum of the pixels before a column, except for overflow.
static inline uint64_t total(const struct picture *picture, const uint8_t *row, const uint64_t *totals, size_t column) {
  uint64_t sum = totals[column / BLOCK];
  for (size_t i = column / BLOCK * BLOCK; i < column; i++) sum += lanes_at(picture, row, i);
  return sum;
}

static inline void add_lanes(uint64_t sum, uint64_t sums[4]) {
  for (int i = 0; i < 4; i++) sums[i] += sum >> 16 * i & 0xFFFF;
}

// Adds the pixels of a row's columns.
static inline void add_pixels(const struct picture *picture, const uint8_t *row, const uint64_t *totals, size_t first, size_t end,
                       uint64_t sums[4]) {
  uint64_t before = total(picture, row, totals, first);
  for (size_t next; first < end; first = next) {
    next = end - first < RUN ? end : first + RUN;
    const uint64_t after = total(picture, row, totals, next);
    add_lanes(after - before, sums);
    before = after;
  }
}

// --- Cells of the image ---

// The sums of a row of cells.
struct cells {
  size_t count, across, rows;
  // Of the last rows, as lanes.
  uint64_t lanes[CHARTPIPE_CELLS];
  uint64_t sums[CHARTPIPE_CELLS][4];
};

static void spill(struct cells *cells) {
  for (size_t cell = 0; cell < cells->count; cell++) add_lanes(cells->lanes[cell], cells->sums[cell]);
  memset(cells->lanes, 0, sizeof cells->lanes);
  cells->rows = 0;
}

static void add_row(const struct picture *picture, const uint8_t *row, const uint64_t *totals, struct cells *cells) {
  const size_t across = cells->across;
  if (across > RUN) return add_pixels(picture, row, totals, 0, across, cells->sums[0]);
  if ((cells->rows + 1) * across > RUN) spill(cells);
  uint64_t before = 0;
  for (size_t cell = 0; cell < cells->count; cell++) {
    const uint64_t after = total(picture, row, totals, (cell + 1) * across);
    cells->lanes[cell] += after - before;
    before = after;
  }
  cells->rows++;
}

// Writes the means and begins the next row of cells. Returns whether any pixel is visible.
static int write_means(struct cells *cells, size_t down, uint8_t *means) {
  const uint64_t count = cells->across * down;
  uint64_t alpha = 0;
  spill(cells);
  for (size_t cell = 0; cell < cells->count; cell++) {
    for (int i = 0; i < 4; i++) means[4 * cell + i] = (uint8_t)((cells->sums[cell][i] + count / 2) / count);
    alpha += cells->sums[cell][3];
  }
  memset(cells->sums, 0, sizeof cells->sums);
  return alpha > 0;
}

// --- Cells of a sheet ---

// A row of pixels on the sheet, in fractions of a cell.
struct line {
  int64_t x, y, step_x, step_y;
};

static struct line line_of(const struct picture *picture, size_t row, const int32_t corners[8]) {
  const int64_t parts = 2 * (int64_t)picture->height, across = (int64_t)picture->width;
  const int64_t part = 2 * (int64_t)row + 1, rest = parts - part;
  const int64_t left_x = (corners[0] * rest + corners[4] * part) / parts;
  const int64_t left_y = (corners[1] * rest + corners[5] * part) / parts;
  const int64_t right_x = (corners[2] * rest + corners[6] * part) / parts;
  const int64_t right_y = (corners[3] * rest + corners[7] * part) / parts;
  const int64_t step_x = (right_x - left_x) / across, step_y = (right_y - left_y) / across;
  return (struct line){left_x + step_x / 2, left_y + step_y / 2, step_x, step_y};
}

// The number of pixels along a line until it leaves the cell; at least 1, at most `most`.
static size_t pixels_within(int64_t place, int64_t step, size_t most) {
  const int64_t into = place & ((1 << CELL_BITS) - 1), rest = (1 << CELL_BITS) - into;
  const int64_t last = (int64_t)most - 1;
  // Steps are shorter than 2^31. Divisions of 32 bits take half the time.
  if (step > 0 && rest <= step * last) return ((uint32_t)rest + (uint32_t)step - 1) / (uint32_t)step;
  if (step < 0 && into < -step * last) return (uint32_t)into / (uint32_t)-step + 1;
  return most;
}

// The sum of the squared differences between each of some pixels and the next one.
static uint32_t squares(const uint8_t *lights, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    const int16_t apart = (int16_t)(lights[i + 1] - lights[i]);
    sum += (uint32_t)(apart * apart);
  }
  return sum;
}

// Writes the sums of the squared differences between the first of every fourth pixel of a row and those below them.
static void total_south(const uint8_t *lights, size_t width, uint32_t *totals) {
  const size_t count = (width + 3) / 4;
  for (size_t i = 0; i < count; i++) {
    uint32_t own, below;
    memcpy(&own, lights + 4 * i, 4);
    memcpy(&below, lights + width + 4 * i, 4);
    const int16_t apart = (int16_t)((int16_t)(below & 0xFF) - (int16_t)(own & 0xFF));
    totals[i + 1] = (uint32_t)(apart * apart);
  }
  totals[0] = 0;
  for (size_t i = 0; i < count; i++) totals[i + 1] += totals[i];
}

// Adds a row's pixels and their differences. A level line has differences to the south only at its two rims, so these are added in
// every row, of every fourth column.
static void sum_row(const struct picture *picture, size_t row, const uint64_t *totals, const uint8_t *lights,
                    const chartpipe_sheet_place *sheet, uint64_t *sums) {
  const uint8_t *from = row_of(picture, row);
  const size_t width = picture->width;
  const int has_south = row + 1 < picture->height;
  uint32_t south[CHARTPIPE_LARGEST / 4 + 1];
  if (has_south) total_south(lights, width, south);
  struct line line = line_of(picture, row, sheet->corners);
  for (size_t column = 0, run; column < width; column += run) {
    run = pixels_within(line.y, line.step_y, pixels_within(line.x, line.step_x, width - column));
    const int64_t across = (line.x >> CELL_BITS) - sheet->column, down = (line.y >> CELL_BITS) - sheet->row;
    if (across >= 0 && across < sheet->columns && down >= 0 && down < sheet->rows) {
      uint64_t *target = sums + 8 * (down * sheet->columns + across);
      // The last pixel of the row has no next one.
      const size_t pairs = row % 4 != 0 ? 0 : column + run < width ? run : run - 1;
      add_pixels(picture, from, totals, column, column + run, target);
      target[4] += run;
      target[5] += squares(lights + column, pairs);
      if (has_south) target[6] += south[(column + run + 3) / 4] - south[(column + 3) / 4];
      target[7] += pairs;
    }
    line.x += (int64_t)run * line.step_x;
    line.y += (int64_t)run * line.step_y;
  }
}

// --- Both ---

int chartpipe_survey(const uint8_t *image, const uint8_t *palette, size_t width, size_t height, size_t cells,
                     const chartpipe_sheet_place *sheet, uint8_t *lights, uint8_t *means, uint64_t *sums) {
  struct picture picture;
  picture.image = image, picture.palette = palette, picture.width = width, picture.height = height;
  picture.is_wide = palette && width % 64 == 0 && can_be_wide();
  for (int i = 0; palette && i < 256; i++) {
    picture.colors[i] = lanes(palette + 4 * i);
    picture.lights[i] = lightness(palette + 4 * i);
    for (int channel = 0; channel < 4; channel++) picture.channels[channel][i] = (uint8_t)(picture.colors[i] >> 16 * channel);
  }
  const size_t down = height / cells;
  uint64_t totals[CHARTPIPE_LARGEST / BLOCK + 1];
  struct cells own = {.count = cells, .across = width / cells};
  int is_seen = 0;
  light_row(&picture, 0, lights);
  for (size_t row = 0; row < height; row++) {
    if (row + 1 < height) light_row(&picture, row + 1, lights + (row + 1) * width);
    const uint8_t *from = row_of(&picture, row);
    total_row(&picture, from, totals);
    add_row(&picture, from, totals, &own);
    if (row % down == down - 1) is_seen |= write_means(&own, down, means + 4 * cells * (row / down));
    if (sheet) sum_row(&picture, row, totals, lights + row * width, sheet, sums);
  }
  return is_seen;
}

// --- Detail ---

// Compiled for wider registers too: arithmetic on integers, so the result is the same.
#if defined(__x86_64__)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif

// Adds to both sums of each cell: the squares of the differences between neighbours of a row, and half the squares of how much
// they change to the row below. A difference between two groups of cells belongs to neither.
CLONES static void add_print(const uint8_t *row, const uint8_t *below, size_t cells, size_t group, size_t side, uint32_t *sums) {
  const size_t width = cells * side;
  int16_t differences[CHARTPIPE_LARGEST], changes[CHARTPIPE_LARGEST];
  for (size_t i = 0; i < width; i++) {
    differences[i] = (int16_t)(row[i + 1] - row[i]);
    changes[i] = (int16_t)(differences[i] - (below[i + 1] - below[i]));
  }
  for (size_t last = group * side - 1; last < width; last += group * side) differences[last] = changes[last] = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    uint32_t own = 0, changed = 0;
    for (size_t i = cell * side; i < (cell + 1) * side; i++) {
      own += (uint32_t)(differences[i] * differences[i]);
      changed += (uint32_t)(changes[i] * changes[i]);
    }
    sums[2 * cell] += own;
    sums[2 * cell + 1] += changed / 2;
  }
}

CLONES static void halve_row(const uint8_t *above, size_t width, uint8_t *out) {
  const uint8_t *below = above + 2 * width;
  for (size_t i = 0; i < width; i++) {
    out[i] = (uint8_t)((above[2 * i] + above[2 * i + 1] + below[2 * i] + below[2 * i + 1] + 2) >> 2);
  }
}

int chartpipe_tile_detail(const uint8_t *lights, size_t side, size_t cells, uint32_t *own, uint32_t *halved) {
  if (side > CHARTPIPE_LARGEST || side % (4 * cells) != 0) return 0;
  uint8_t halves[2][CHARTPIPE_LARGEST / 2 + 1];
  const size_t cell = side / cells;
  for (size_t row = 0; row < side; row += 4) {
    const uint8_t *from = lights + row * side;
    add_print(from, from + side, cells, cells / 2, cell, own + 2 * (row / cell * cells));
    if (row % 8 != 0) continue;
    for (size_t i = 0; i < 2; i++) halve_row(from + 2 * i * side, side / 2, halves[i]);
    halves[0][side / 2] = halves[1][side / 2] = 0;
    add_print(halves[0], halves[1], cells / 2, cells / 2, cell, halved + 2 * (row / 2 / cell * (cells / 2)));
  }
  return 1;
}
