#include "pixels.h"

#include <string.h>

// Three channels as 16-bit lanes of one number. A lane holds the sum of 257 values.
enum { RUN = 256 };

static uint64_t color_lanes(const uint8_t *color) {
  return color[0] | (uint64_t)color[1] << 16 | (uint64_t)color[2] << 32;
}

void chartpipe_add_cell_colors(const uint8_t *row, size_t cells, size_t side, const uint8_t *palette, uint32_t *sums) {
  uint64_t lanes[256];
  for (int i = 0; i < 256; i++) lanes[i] = color_lanes(palette + 4 * i);
  for (size_t cell = 0; cell < cells; cell++, sums += 3) {
    for (size_t left = side; left > 0;) {
      size_t count = left < RUN ? left : RUN;
      uint64_t sum = 0;
      for (size_t i = 0; i < count; i++) sum += lanes[row[i]];
      for (int i = 0; i < 3; i++) sums[i] += sum >> 16 * i & 0xFFFF;
      row += count;
      left -= count;
    }
  }
}

void chartpipe_add_cell_texture(const uint8_t *row, size_t cells, size_t side, size_t first, const uint8_t *lights,
                                uint32_t *sums) {
  for (size_t cell = 0; cell < cells; cell++, row += side) {
    uint32_t sum = 0;
    for (size_t i = first; i + 1 < side; i += 2) {
      int32_t difference = lights[row[i + 1]] - lights[row[i]];
      sum += (uint32_t)(difference * difference);
    }
    sums[cell] += sum;
  }
}

int chartpipe_is_even(const uint8_t *bytes, size_t count) {
  return count < 2 || memcmp(bytes, bytes + 1, count - 1) == 0;
}

size_t chartpipe_count_byte(const uint8_t *bytes, size_t count, uint8_t value) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) found += bytes[i] == value;
  return found;
}

void chartpipe_count_changes(const uint8_t *row, const uint8_t *above, size_t count, uint16_t *changes) {
  for (size_t i = 0; i < count; i++) changes[i] += row[i] != above[i];
}

// Counts the bytes of a word at once if they are all equal. Counts stop at 255.
static void count_word(const uint8_t *bytes, uint8_t *counts) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  if (word == bytes[0] * (UINT64_MAX / 255)) {
    const unsigned sum = counts[bytes[0]] + 8u;
    counts[bytes[0]] = (uint8_t)(sum < 255 ? sum : 255);
    return;
  }
  for (int i = 0; i < 8; i++) counts[bytes[i]] += counts[bytes[i]] < 255;
}

int chartpipe_count_inks(const uint8_t *block, size_t stride, const uint8_t *best, uint8_t *counts) {
  memset(counts, 0, 256);
  for (size_t row = 0; row < 32; row += 8)
    for (size_t column = 0; column < 32; column += 8) count_word(block + row * stride + column, counts);
  int is_better = 0;
  for (int i = 0; i < 256; i++) is_better |= counts[i] > best[i];
  return is_better;
}
