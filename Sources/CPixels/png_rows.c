#include "pixels.h"

#include <stdlib.h>
#include <string.h>

void chartpipe_alpha_range(const uint8_t *pixels, size_t count, uint8_t *least, uint8_t *most) {
  uint8_t low = 255, high = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t alpha = pixels[4 * i + 3];
    low = alpha < low ? alpha : low;
    high = alpha > high ? alpha : high;
  }
  *least = low;
  *most = high;
}

void chartpipe_pack_indexes(const uint8_t *indexes, size_t width, size_t height, const uint8_t *numbers, int depth,
                            uint8_t *rows) {
  size_t in_a_byte = 8 / (size_t)depth;
  for (size_t row = 0; row < height; row++, indexes += width) {
    *rows++ = 0;
    for (size_t column = 0; column < width; column += in_a_byte) {
      uint8_t byte = 0;
      for (size_t i = 0; i < in_a_byte; i++)
        byte = (uint8_t)(byte << depth | (column + i < width ? numbers[indexes[column + i]] : 0));
      *rows++ = byte;
    }
  }
}

void chartpipe_pack_channels(const uint8_t *pixels, size_t width, size_t height, size_t channels, uint8_t *packed) {
  memset(packed, 0, (width + 1) * channels);
  packed += (width + 1) * channels;
  for (size_t row = 0; row < height; row++, packed += (width + 1) * channels, pixels += 4 * width) {
    memset(packed, 0, channels);
    uint8_t *out = packed + channels;
    if (channels == 3) {
      for (size_t i = 0; i < width; i++)
        for (int channel = 0; channel < 3; channel++) out[3 * i + channel] = pixels[4 * i + channel];
    } else {
      for (size_t i = 0; i < width; i++)
        for (int channel = 0; channel < 4; channel++)
          out[4 * i + channel] = pixels[4 * i + 3] > 0 ? pixels[4 * i + channel] : 0;
    }
  }
}

enum { NONE, SUB, UP, AVERAGE, PAETH, FILTERS };

static inline int paeth(int left, int up, int corner) {
  int to_left = abs(up - corner), to_up = abs(left - corner), to_corner = abs(left + up - 2 * corner);
  int other = to_up <= to_corner ? up : corner;
  return to_left <= to_up && to_left <= to_corner ? left : other;
}

static inline int predict(int filter, int left, int up, int corner) {
  switch (filter) {
    case SUB: return left;
    case UP: return up;
    case AVERAGE: return (left + up) >> 1;
    case PAETH: return paeth(left, up, corner);
    default: return 0;
  }
}

// Gives the usual guess of what the row will cost: the sum of its differences. Inlined with a filter that is known,
// since a choice within the loop would keep it from being vectorised.
static inline __attribute__((always_inline)) uint32_t apply(
    int filter, const uint8_t *row, const uint8_t *above, size_t bytes, size_t step, uint8_t *out) {
  uint32_t cost = 0;
  for (size_t i = 0; i < bytes; i++) {
    uint8_t difference = (uint8_t)(row[i + step] - predict(filter, row[i], above[i + step], above[i]));
    out[i] = difference;
    cost += difference < 128 ? difference : 256u - difference;
  }
  return cost;
}

static uint32_t filter_row(
    int filter, const uint8_t *row, const uint8_t *above, size_t bytes, size_t step, uint8_t *out) {
  switch (filter) {
    case SUB: return apply(SUB, row, above, bytes, step, out);
    case UP: return apply(UP, row, above, bytes, step, out);
    case AVERAGE: return apply(AVERAGE, row, above, bytes, step, out);
    case PAETH: return apply(PAETH, row, above, bytes, step, out);
    default: return apply(NONE, row, above, bytes, step, out);
  }
}

void chartpipe_filter_rows(const uint8_t *packed, size_t width, size_t height, size_t channels, uint8_t *scratch,
                           uint8_t *rows) {
  size_t bytes = width * channels, stride = bytes + channels;
  for (size_t row = 0; row < height; row++, packed += stride, rows += bytes + 1) {
    uint32_t least = UINT32_MAX;
    for (int filter = NONE; filter < FILTERS; filter++) {
      uint32_t cost = filter_row(filter, packed + stride, packed, bytes, channels, scratch);
      if (cost >= least) continue;
      least = cost;
      rows[0] = (uint8_t)filter;
      memcpy(rows + 1, scratch, bytes);
    }
  }
}
