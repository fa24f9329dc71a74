#include "pixels.h"

// The four channels of a pixel as lanes of one number, so that they are added at once. A lane holds the sum of 257.
enum { RUN = 256 };

// A row of pixels on the sheet, in fractions of a cell.
struct chartpipe_cell_line {
  int64_t x, y, step_x, step_y;
};

static uint64_t lanes(const uint8_t *pixel) {
  uint32_t alpha = pixel[3];
  if (alpha == 0) return 0;
  uint64_t red = (pixel[0] * alpha + 127) / 255, green = (pixel[1] * alpha + 127) / 255;
  uint64_t blue = (pixel[2] * alpha + 127) / 255;
  return red | green << 16 | blue << 32 | (uint64_t)alpha << 48;
}

static void spill(uint64_t sum, uint64_t sums[4]) {
  for (int i = 0; i < 4; i++) sums[i] += sum >> 16 * i & 0xFFFF;
}

static void add_pixels(const uint8_t *pixels, size_t count, uint64_t sums[4]) {
  while (count > 0) {
    size_t run = count < RUN ? count : RUN;
    uint64_t sum = 0;
    for (size_t i = 0; i < run; i++) sum += lanes(pixels + 4 * i);
    spill(sum, sums);
    pixels += 4 * run;
    count -= run;
  }
}

static void add_indexes(const uint8_t *indexes, const uint64_t *colors, size_t count, uint64_t sums[4]) {
  while (count > 0) {
    size_t run = count < RUN ? count : RUN;
    uint64_t sum = 0;
    for (size_t i = 0; i < run; i++) sum += colors[indexes[i]];
    spill(sum, sums);
    indexes += run;
    count -= run;
  }
}

// One of the two is used: `colors` is NULL for pixels.
static int mean_cells(const uint8_t *image, const uint64_t *colors, size_t width, size_t height, size_t cells,
                      uint8_t *means) {
  size_t across = width / cells, down = height / cells, count = across * down;
  int is_seen = 0;
  for (size_t cell = 0; cell < cells * cells; cell++) {
    size_t left = cell % cells * across, top = cell / cells * down;
    uint64_t sums[4] = {0, 0, 0, 0};
    for (size_t row = top; row < top + down; row++) {
      size_t place = row * width + left;
      if (colors) add_indexes(image + place, colors, across, sums);
      else add_pixels(image + 4 * place, across, sums);
    }
    for (int i = 0; i < 4; i++) means[4 * cell + i] = (uint8_t)((sums[i] + count / 2) / count);
    if (sums[3] > 0) is_seen = 1;
  }
  return is_seen;
}

int chartpipe_mean_cells(const uint8_t *pixels, size_t width, size_t height, size_t cells, uint8_t *means) {
  return mean_cells(pixels, NULL, width, height, cells, means);
}

int chartpipe_mean_cells_of_indexes(const uint8_t *indexes, const uint8_t *palette, size_t width, size_t height,
                                    size_t cells, uint8_t *means) {
  uint64_t colors[256];
  for (int i = 0; i < 256; i++) colors[i] = lanes(palette + 4 * i);
  return mean_cells(indexes, colors, width, height, cells, means);
}

// --- Cells of a sheet ---

static const int32_t CELL_BITS = 16;

// The number of pixels along a line until it leaves the cell; at least 1.
static int64_t pixels_within(int64_t place, int64_t step) {
  int64_t into = place & ((1 << CELL_BITS) - 1);
  if (step > 0) return ((1 << CELL_BITS) - into + step - 1) / step;
  return step < 0 ? into / -step + 1 : INT64_MAX;
}

// An image's lookup tables, both NULL for an image without indexes.
struct chartpipe_tables {
  const uint64_t *colors;
  const uint8_t *lights;
};

static uint8_t lightness(const uint8_t *pixel) {
  return pixel[3] == 255 ? (uint8_t)((2 * pixel[0] + 5 * pixel[1] + pixel[2]) >> 3) : 0;
}

// Returns the sum of the squared differences in lightness between pixels, every so many, and those at a distance.
static uint64_t squares(const uint8_t *row, const uint8_t *lights, size_t first, size_t count, size_t step,
                        size_t distance) {
  uint64_t sum = 0;
  for (size_t i = first; i < count; i += step) {
    int32_t own = lights ? lights[row[i]] : lightness(row + 4 * i);
    int32_t apart = (lights ? lights[row[i + distance]] : lightness(row + 4 * (i + distance))) - own;
    sum += (uint32_t)(apart * apart);
  }
  return sum;
}

// Adds a run of pixels of a row to a cell, and their differences. A level line has differences to the south only at its two rims,
// so these are added in every row, of every fourth column.
static void add_run(const uint8_t *pixels, size_t width, struct chartpipe_tables tables, size_t column, size_t count,
                    size_t pairs, int is_last, uint64_t target[8]) {
  uint64_t sum[4] = {0, 0, 0, 0};
  if (tables.colors) add_indexes(pixels, tables.colors, count, sum);
  else add_pixels(pixels, count, sum);
  for (int i = 0; i < 4; i++) target[i] += sum[i];
  target[4] += count;
  target[5] += squares(pixels, tables.lights, 0, pairs, 1, 1);
  if (!is_last) target[6] += squares(pixels, tables.lights, (4 - column % 4) % 4, count, 4, width);
  target[7] += pairs;
}

static void sum_row(const uint8_t *row, struct chartpipe_tables tables, size_t width, int is_textured, int is_last,
                    struct chartpipe_cell_line line, const chartpipe_cell_box *box, uint64_t *sums) {
  const size_t bytes = tables.colors ? 1 : 4;
  int64_t x = line.x, y = line.y;
  for (size_t column = 0; column < width;) {
    int64_t run = pixels_within(x, line.step_x), other = pixels_within(y, line.step_y);
    if (other < run) run = other;
    if (run > (int64_t)(width - column)) run = (int64_t)(width - column);
    int64_t across = (x >> CELL_BITS) - box->column, down = (y >> CELL_BITS) - box->row;
    if (across >= 0 && across < box->columns && down >= 0 && down < box->rows) {
      // The last pixel of the row has no next one.
      size_t pairs = column + (size_t)run < width ? (size_t)run : (size_t)run - 1;
      add_run(row + bytes * column, width, tables, column, (size_t)run, is_textured ? pairs : 0, is_last,
              sums + 8 * (down * box->columns + across));
    }
    x += run * line.step_x;
    y += run * line.step_y;
    column += (size_t)run;
  }
}

void chartpipe_sum_cells(const uint8_t *image, const uint8_t *palette, size_t width, size_t height,
                         const int32_t corners[8], chartpipe_cell_box box, uint64_t *sums) {
  uint64_t colors[256];
  uint8_t lights[256];
  if (palette) {
    for (int i = 0; i < 256; i++) colors[i] = lanes(palette + 4 * i);
    for (int i = 0; i < 256; i++) lights[i] = lightness(palette + 4 * i);
  }
  const struct chartpipe_tables tables = {palette ? colors : NULL, palette ? lights : NULL};
  const int64_t parts = 2 * (int64_t)height, across = (int64_t)width;
  for (size_t row = 0; row < height; row++) {
    const int64_t part = 2 * (int64_t)row + 1, rest = parts - part;
    const int64_t left_x = (corners[0] * rest + corners[4] * part) / parts;
    const int64_t left_y = (corners[1] * rest + corners[5] * part) / parts;
    const int64_t right_x = (corners[2] * rest + corners[6] * part) / parts;
    const int64_t right_y = (corners[3] * rest + corners[7] * part) / parts;
    const int64_t step_x = (right_x - left_x) / across, step_y = (right_y - left_y) / across;
    const struct chartpipe_cell_line line = {left_x + step_x / 2, left_y + step_y / 2, step_x, step_y};
    sum_row(image + row * width * (palette ? 1 : 4), tables, width, row % 4 == 0, row + 1 == height, line, &box, sums);
  }
}
