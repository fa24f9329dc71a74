#include "pixels.h"

#include <stdlib.h>

enum { FILTERS = 5 };

// The neighbour that is nearest to left + up - corner; a tie goes to the left one, then to the upper one.
static inline int paeth(int left, int up, int corner) {
  const int across = abs(up - corner), down = abs(left - corner), both = abs(left + up - 2 * corner);
  if (across <= down && across <= both) return left;
  return down <= both ? up : corner;
}

static inline int prediction(int filter, int left, int up, int corner) {
  switch (filter) {
  case 1: return left;
  case 2: return up;
  case 3: return (left + up) / 2;
  case 4: return paeth(left, up, corner);
  default: return 0;
  }
}

// Writes a filtered row, and returns the sum of its differences, each as a signed number.
static inline size_t filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t bytes, size_t channels,
                                uint8_t *out) {
  size_t sum = 0;
  for (size_t i = 0; i < bytes; i++) {
    const int left = i < channels ? 0 : row[i - channels], up = above ? above[i] : 0;
    const int corner = i < channels || !above ? 0 : above[i - channels];
    out[i] = (uint8_t)(row[i] - prediction(filter, left, up, corner));
    sum += (size_t)(out[i] < 128 ? out[i] : 256 - out[i]);
  }
  return sum;
}

// With the filter as a constant, so that the compiler makes a loop of its own for each.
static size_t filter_row_with(int filter, const uint8_t *row, const uint8_t *above, size_t bytes, size_t channels,
                              uint8_t *out) {
  switch (filter) {
  case 1: return filter_row(1, row, above, bytes, channels, out);
  case 2: return filter_row(2, row, above, bytes, channels, out);
  case 3: return filter_row(3, row, above, bytes, channels, out);
  case 4: return filter_row(4, row, above, bytes, channels, out);
  default: return filter_row(0, row, above, bytes, channels, out);
  }
}

void chartpipe_filter_rows(const uint8_t *rows, size_t bytes, size_t height, size_t channels, uint8_t *filtered) {
  for (size_t row = 0; row < height; row++, rows += 1 + bytes, filtered += 1 + bytes) {
    const uint8_t *above = row > 0 ? rows - bytes : NULL;
    size_t least = SIZE_MAX;
    for (int filter = 0; filter < FILTERS; filter++) {
      const size_t sum = filter_row_with(filter, rows + 1, above, bytes, channels, filtered + 1);
      if (sum >= least) continue;
      least = sum;
      filtered[0] = (uint8_t)filter;
    }
    filter_row_with(filtered[0], rows + 1, above, bytes, channels, filtered + 1);
  }
}
