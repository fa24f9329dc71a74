#include "pixels.h"

#include <string.h>

void chartpipe_alpha_range(const uint8_t *pixels, size_t count, uint8_t *least, uint8_t *most) {
  uint8_t common = 255, any = 0;
  for (size_t i = 0; i < count; i++) {
    common &= pixels[4 * i + 3];
    any |= pixels[4 * i + 3];
  }
  *least = common;
  *most = any;
  if (common == 255 || any == 0) return;
  *least = 255;
  *most = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t alpha = pixels[4 * i + 3];
    if (alpha < *least) *least = alpha;
    if (alpha > *most) *most = alpha;
  }
}

// The first pixel in the highest bits of a byte.
static void pack_row(const uint8_t *indexes, size_t width, const uint8_t *numbers, size_t depth, uint8_t *row) {
  const size_t in_a_byte = 8 / depth;
  for (size_t column = 0; column < width; column += in_a_byte) {
    uint8_t byte = 0;
    for (size_t i = 0; i < in_a_byte; i++)
      byte = (uint8_t)(byte << depth | (column + i < width ? numbers[indexes[column + i]] : 0));
    *row++ = byte;
  }
}

void chartpipe_pack_indexes(const uint8_t *indexes, size_t width, size_t height, const uint8_t *numbers, int depth,
                            uint8_t *rows) {
  const size_t bytes = (width * (size_t)depth + 7) / 8;
  for (size_t row = 0; row < height; row++, indexes += width, rows += bytes) {
    *rows++ = 0;
    if (depth < 8) pack_row(indexes, width, numbers, (size_t)depth, rows);
    else for (size_t column = 0; column < width; column++) rows[column] = numbers[indexes[column]];
  }
}

// A row of `depth` bits a pixel, the first one in the highest bits.
static void unpack_row(const uint8_t *row, size_t width, unsigned depth, uint8_t *indexes) {
  const unsigned mask = (1u << depth) - 1;
  for (size_t column = 0; column < width; column++) {
    const size_t bit = column * depth;
    indexes[column] = (uint8_t)(row[bit / 8] >> (8 - depth - bit % 8) & mask);
  }
}

int chartpipe_unpack_indexes(const uint8_t *rows, size_t width, size_t height, int depth, int colors, uint8_t *indexes) {
  const size_t stride = 1 + (width * (size_t)depth + 7) / 8;
  int highest = 0;
  for (size_t row = 0; row < height; row++, rows += stride, indexes += width) {
    if (rows[0] != 0) return 0;
    if (depth == 8) memcpy(indexes, rows + 1, width);
    else unpack_row(rows + 1, width, (unsigned)depth, indexes);
    for (size_t column = 0; column < width; column++) highest = indexes[column] > highest ? indexes[column] : highest;
  }
  return highest < colors;
}

void chartpipe_pack_channels(const uint8_t *pixels, size_t width, size_t height, size_t channels, uint8_t *rows) {
  for (size_t row = 0; row < height; row++, pixels += 4 * width) {
    *rows++ = 0;
    for (size_t i = 0; i < width; i++, rows += channels) {
      const uint8_t *pixel = pixels + 4 * i;
      uint8_t shown = pixel[3] > 0 ? 255 : 0;
      for (size_t channel = 0; channel < channels; channel++) rows[channel] = pixel[channel] & shown;
    }
  }
}
