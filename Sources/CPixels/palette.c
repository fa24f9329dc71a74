#include "pixels.h"

#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// Bins have the six upper bits of each channel; 16 cells a channel have four bins a side.
enum { LEVELS = 64, BINS = LEVELS * LEVELS * LEVELS, CELLS = 16, BINS_PER_CELL = LEVELS / CELLS };
enum { BINS_IN_CELL = BINS_PER_CELL * BINS_PER_CELL * BINS_PER_CELL };
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

// The squared distances from each colour to the nearest and the farthest level of each range of a channel.
struct reaches {
  uint16_t nearest[3][CELLS][256], farthest[3][CELLS][256];
};

static void measure_reaches(const uint8_t *colors, size_t count, struct reaches *reaches) {
  for (int channel = 0; channel < 3; channel++) {
    for (int cell = 0; cell < CELLS; cell++) {
      const int low = cell * 256 / CELLS, high = low + 256 / CELLS - 1;
      for (size_t i = 0; i < count; i++) {
        const int below = colors[3 * i + (size_t)channel] - low, above = high - colors[3 * i + (size_t)channel];
        const int out = below < 0 ? -below : above < 0 ? -above : 0;
        const int far = abs(below) > abs(above) ? below : above;
        reaches->nearest[channel][cell][i] = (uint16_t)(out * out);
        reaches->farthest[channel][cell][i] = (uint16_t)(far * far);
      }
    }
  }
}

// Lists the colours that can be the nearest to any point in the cell, in order.
INLINE size_t candidates(const struct reaches *reaches, size_t count, const int *cell, uint8_t *found) {
  int32_t nearest[255], bound = INT32_MAX;
  const uint16_t *red = reaches->farthest[0][cell[0]], *green = reaches->farthest[1][cell[1]];
  const uint16_t *blue = reaches->farthest[2][cell[2]];
  for (size_t i = 0; i < count; i++) {
    const int32_t farthest = red[i] + green[i] + blue[i];
    bound = farthest < bound ? farthest : bound;
  }
  red = reaches->nearest[0][cell[0]], green = reaches->nearest[1][cell[1]], blue = reaches->nearest[2][cell[2]];
  for (size_t i = 0; i < count; i++) nearest[i] = red[i] + green[i] + blue[i];
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    found[kept] = (uint8_t)i;
    kept += nearest[i] <= bound;
  }
  return kept;
}

INLINE size_t bin_in_cell(const int *cell, int number) {
  size_t red = (size_t)(cell[0] * BINS_PER_CELL + number / (BINS_PER_CELL * BINS_PER_CELL));
  size_t green = (size_t)(cell[1] * BINS_PER_CELL + number / BINS_PER_CELL % BINS_PER_CELL);
  size_t blue = (size_t)(cell[2] * BINS_PER_CELL + number % BINS_PER_CELL);
  return (red * LEVELS + green) * LEVELS + blue;
}

// Some bins of a cell, with their points channel by channel, so that the compiler uses vectors.
struct bins {
  size_t count, places[BINS_IN_CELL];
  int32_t points[3][BINS_IN_CELL], distances[BINS_IN_CELL], nearest[BINS_IN_CELL];
};

INLINE void list_bins(const uint16_t *points, const uint8_t *wanted, const int *cell, struct bins *bins) {
  bins->count = 0;
  for (int number = 0; number < BINS_IN_CELL; number++) {
    const size_t bin = bin_in_cell(cell, number);
    if (wanted != NULL && !wanted[bin]) continue;
    for (int channel = 0; channel < 3; channel++)
      bins->points[channel][bins->count] = points[3 * bin + (size_t)channel];
    bins->places[bins->count++] = bin;
  }
}

INLINE void compare(struct bins *bins, const uint8_t *color, int32_t number) {
  const int32_t red = 32 * color[0], green = 32 * color[1], blue = 32 * color[2];
  for (size_t i = 0; i < bins->count; i++) {
    const int32_t a = bins->points[0][i] - red, b = bins->points[1][i] - green, c = bins->points[2][i] - blue;
    const int32_t distance = a * a + b * b + c * c, best = bins->distances[i];
    bins->nearest[i] = distance < best ? number : bins->nearest[i];
    bins->distances[i] = distance < best ? distance : best;
  }
}

// Compiled for wider registers too: arithmetic on integers, so the result is the same.
#if defined(__x86_64__)
__attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
static void fill_cell(const uint8_t *colors, size_t count, const struct reaches *reaches, const uint16_t *points,
                      const uint8_t *wanted, const int *cell, uint8_t *table) {
  struct bins bins;
  list_bins(points, wanted, cell, &bins);
  if (bins.count == 0) return;
  uint8_t numbers[256];
  const size_t kept = candidates(reaches, count, cell, numbers);
  for (size_t i = 0; i < bins.count; i++) bins.distances[i] = INT32_MAX;
  for (size_t i = 0; i < kept; i++) compare(&bins, colors + 3 * numbers[i], numbers[i]);
  for (size_t i = 0; i < bins.count; i++) table[bins.places[i]] = (uint8_t)(bins.nearest[i] + 1);
}

void chartpipe_fill_table(const uint8_t *colors, size_t count, const uint16_t *points, const uint8_t *wanted,
                          uint8_t *table) {
  struct reaches reaches;
  measure_reaches(colors, count, &reaches);
  for (int red = 0; red < CELLS; red++)
    for (int green = 0; green < CELLS; green++)
      for (int blue = 0; blue < CELLS; blue++)
        fill_cell(colors, count, &reaches, points, wanted, (const int[3]){red, green, blue}, table);
}

void chartpipe_paint_indexes(const uint8_t *indexes, size_t count, const uint8_t *numbers, const uint8_t *colors,
                             uint8_t *pixels) {
  for (size_t i = 0; i < count; i++) memcpy(pixels + 4 * i, colors + 4 * numbers[indexes[i]], 4);
}
