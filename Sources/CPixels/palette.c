#include "pixels.h"

#include <stdlib.h>
#include <string.h>

// Bins have the six upper bits of each channel; 16 cells a channel have four bins a side.
enum { LEVELS = 64, BINS = LEVELS * LEVELS * LEVELS, CELLS = 16, BINS_PER_CELL = LEVELS / CELLS };
enum { COUNTERS = 12 };

static size_t bin_of(const uint8_t *pixel) {
  return (size_t)(pixel[0] >> 2) << 12 | (size_t)(pixel[1] >> 2) << 6 | pixel[2] >> 2;
}

void chartpipe_count_colors(const uint8_t *pixels, size_t count, uint32_t *census) {
  for (const uint8_t *end = pixels + 4 * count; pixels < end; pixels += 4) {
    if (pixels[3] < 255) continue;
    uint32_t *counters = census + COUNTERS * bin_of(pixels);
    for (int channel = 0; channel < 3; channel++) {
      uint32_t *counter = counters + 4 * channel + (pixels[channel] & 3);
      *counter += *counter < UINT32_MAX;
    }
  }
}

static chartpipe_color_bin describe(const uint32_t *counters, uint32_t place) {
  chartpipe_color_bin bin = {.place = place, .has_mode = 1};
  for (int low = 0; low < 4; low++) bin.weight += counters[low];
  for (int channel = 0; channel < 3; channel++) {
    uint32_t base = (place >> (12 - 6 * channel) & 63) << 2;
    for (uint32_t low = 0; low < 4; low++) {
      uint64_t part = counters[4 * channel + low];
      bin.sums[channel] += part * (base + low);
      if (2 * part > bin.weight) bin.mode[channel] = (uint8_t)(base + low);
    }
    uint64_t most = counters[4 * channel + (bin.mode[channel] & 3)];
    bin.has_mode &= 2 * most > bin.weight;
  }
  return bin;
}

size_t chartpipe_list_bins(const uint32_t *census, chartpipe_color_bin *bins) {
  size_t found = 0;
  for (uint32_t place = 0; place < BINS; place++) {
    const uint32_t *counters = census + (size_t)COUNTERS * place;
    if ((counters[0] | counters[1] | counters[2] | counters[3]) == 0) continue;
    if (bins != NULL) bins[found] = describe(counters, place);
    found++;
  }
  return found;
}

// The squared distances by channel from a colour to the nearest and the farthest corner of a cell.
static void reach(const uint8_t *color, const int *cell, int *nearest, int *farthest) {
  *nearest = *farthest = 0;
  for (int channel = 0; channel < 3; channel++) {
    int low = cell[channel] * 256 / CELLS, high = low + 256 / CELLS - 1, value = color[channel];
    int below = value - low, above = high - value;
    int out = below < 0 ? -below : above < 0 ? -above : 0;
    int far = abs(below) > abs(above) ? below : above;
    *nearest += out * out;
    *farthest += far * far;
  }
}

// The colours that can be the nearest to any point in the cell, in order.
static size_t candidates(const uint8_t *colors, size_t count, const int *cell, uint8_t *found) {
  int nearest[255], bound = INT32_MAX;
  for (size_t i = 0; i < count; i++) {
    int farthest;
    reach(colors + 3 * i, cell, &nearest[i], &farthest);
    if (farthest < bound) bound = farthest;
  }
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (nearest[i] <= bound) found[kept++] = (uint8_t)i;
  return kept;
}

static uint8_t nearest_of(const uint8_t *colors, const uint8_t *numbers, size_t count, const uint16_t *point) {
  int best = INT32_MAX;
  uint8_t nearest = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *color = colors + 3 * numbers[i];
    int red = point[0] - 32 * color[0], green = point[1] - 32 * color[1], blue = point[2] - 32 * color[2];
    int distance = red * red + green * green + blue * blue;
    if (distance < best) {
      best = distance;
      nearest = numbers[i];
    }
  }
  return nearest;
}

static size_t bin_in_cell(const int *cell, int number) {
  size_t red = (size_t)(cell[0] * BINS_PER_CELL + number / (BINS_PER_CELL * BINS_PER_CELL));
  size_t green = (size_t)(cell[1] * BINS_PER_CELL + number / BINS_PER_CELL % BINS_PER_CELL);
  size_t blue = (size_t)(cell[2] * BINS_PER_CELL + number % BINS_PER_CELL);
  return (red * LEVELS + green) * LEVELS + blue;
}

static void fill_cell(const uint8_t *colors, size_t count, const uint16_t *points, const uint8_t *wanted,
                      const int *cell, uint8_t *table) {
  uint8_t numbers[255];
  size_t kept = 0;
  for (int number = 0; number < BINS_PER_CELL * BINS_PER_CELL * BINS_PER_CELL; number++) {
    size_t bin = bin_in_cell(cell, number);
    if (wanted != NULL && !wanted[bin]) continue;
    if (kept == 0) kept = candidates(colors, count, cell, numbers);
    table[bin] = (uint8_t)(nearest_of(colors, numbers, kept, points + 3 * bin) + 1);
  }
}

void chartpipe_fill_table(const uint8_t *colors, size_t count, const uint16_t *points, const uint8_t *wanted,
                          uint8_t *table) {
  for (int red = 0; red < CELLS; red++)
    for (int green = 0; green < CELLS; green++)
      for (int blue = 0; blue < CELLS; blue++)
        fill_cell(colors, count, points, wanted, (const int[3]){red, green, blue}, table);
}

void chartpipe_paint_indexes(const uint8_t *indexes, size_t count, const uint8_t *numbers, const uint8_t *colors,
                             uint8_t *pixels) {
  for (size_t i = 0; i < count; i++) memcpy(pixels + 4 * i, colors + 4 * numbers[indexes[i]], 4);
}
