#include "look_up.h"

#include <string.h>

void chartpipe_alpha_range(const uint8_t *pixels, size_t count, uint8_t *least, uint8_t *most) {
  // Whole words, so that the compiler uses vectors. Most images are opaque or empty.
  uint32_t common = UINT32_MAX, any = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t word;
    memcpy(&word, pixels + 4 * i, 4);
    common &= word;
    any |= word;
  }
  uint8_t both[2][4];
  memcpy(both[0], &common, 4);
  memcpy(both[1], &any, 4);
  *least = both[0][3];
  *most = both[1][3];
  if (*least == 255 || *most == 0) return;
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
    else look_up_bytes(numbers, indexes, width, rows);
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
  // A byte, so that the compiler uses vectors of bytes.
  uint8_t highest = 0;
  for (size_t row = 0; row < height; row++, rows += stride, indexes += width) {
    if (rows[0] != 0) return 0;
    if (depth == 8) memcpy(indexes, rows + 1, width);
    else unpack_row(rows + 1, width, (unsigned)depth, indexes);
    for (size_t column = 0; column < width; column++) highest = indexes[column] > highest ? indexes[column] : highest;
  }
  return highest < colors;
}

// A whole word for each pixel: its fourth byte is overwritten by the next pixel.
static void pack_opaque_row(const uint8_t *pixels, size_t width, uint8_t *row) {
  for (size_t i = 0; i + 1 < width; i++) memcpy(row + 3 * i, pixels + 4 * i, 4);
  if (width > 0) memcpy(row + 3 * (width - 1), pixels + 4 * (width - 1), 3);
}

static void pack_clear_row(const uint8_t *pixels, size_t width, uint8_t *row) {
  for (size_t i = 0; i < width; i++) {
    const uint32_t shown = pixels[4 * i + 3] > 0 ? UINT32_MAX : 0;
    uint32_t word;
    memcpy(&word, pixels + 4 * i, 4);
    word &= shown;
    memcpy(row + 4 * i, &word, 4);
  }
}

void chartpipe_pack_channels(const uint8_t *pixels, size_t width, size_t height, size_t channels, uint8_t *rows) {
  for (size_t row = 0; row < height; row++, pixels += 4 * width, rows += channels * width) {
    *rows++ = 0;
    if (channels == 3) pack_opaque_row(pixels, width, rows);
    else pack_clear_row(pixels, width, rows);
  }
}
