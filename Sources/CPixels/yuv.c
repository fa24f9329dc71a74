#include "pixels.h"

#include <string.h>

// Four fractional bits for chroma until it is sharpened.
enum { WIDEST = 4096, FRACTION = 4, ONE = 1 << FRACTION };

// Compiled for wider registers too: arithmetic on integers, so the result is the same.
#if defined(__x86_64__)
#define WIDE __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define WIDE
#endif

struct rgb {
  int32_t red, green, blue;
};

static inline struct rgb color_at(const uint8_t *pixels, size_t column) {
  uint32_t word;
  memcpy(&word, pixels + 4 * column, 4);
  return (struct rgb){word & 255, word >> 8 & 255, word >> 16 & 255};
}

// The factors of BT.601 for 16 fractional bits, as decoders of WebP reverse them.
WIDE static void luma_row(const uint8_t *pixels, size_t width, uint8_t *luma) {
  for (size_t i = 0; i < width; i++) {
    const struct rgb color = color_at(pixels, i);
    luma[i] = (uint8_t)((16839 * color.red + 33059 * color.green + 6420 * color.blue + (16 << 16) + (1 << 15)) >> 16);
  }
}

// The chroma of the means of 2 x 2 pixels, from two rows. The first and the last value are there twice.
struct chroma_row {
  int16_t values[2][WIDEST / 2 + 2];
};

WIDE static void mean_row(const uint8_t *pixels, size_t width, struct chroma_row *row) {
  const uint8_t *below = pixels + 4 * width;
  const int32_t middle = (128 << 18) + (1 << (17 - FRACTION));
  for (size_t i = 0; i < width / 2; i++) {
    const struct rgb a = color_at(pixels, 2 * i), b = color_at(pixels, 2 * i + 1);
    const struct rgb c = color_at(below, 2 * i), d = color_at(below, 2 * i + 1);
    const int32_t red = a.red + b.red + c.red + d.red, green = a.green + b.green + c.green + d.green;
    const int32_t blue = a.blue + b.blue + c.blue + d.blue;
    row->values[0][i + 1] = (int16_t)((-9719 * red - 19081 * green + 28800 * blue + middle) >> (18 - FRACTION));
    row->values[1][i + 1] = (int16_t)((28800 * red - 24116 * green - 4684 * blue + middle) >> (18 - FRACTION));
  }
  for (int plane = 0; plane < 2; plane++) {
    row->values[plane][0] = row->values[plane][1];
    row->values[plane][width / 2 + 1] = row->values[plane][width / 2];
  }
}

// Decoders interpolate chroma. Of these values, each 2 x 2 pixels would get a mean with a part of their neighbours': it is
// subtracted before.
WIDE static void sharpen_row(const int16_t *above, const int16_t *own, const int16_t *below, size_t count,
                             uint8_t *chroma) {
  for (size_t i = 0; i < count; i++) {
    const int32_t sides = above[i + 1] + below[i + 1] + own[i] + own[i + 2];
    const int32_t corners = above[i] + above[i + 2] + below[i] + below[i + 2];
    const int32_t seen = (36 * own[i + 1] + 6 * sides + corners + 32) >> 6;
    const int32_t value = (2 * own[i + 1] - seen + ONE / 2) >> FRACTION;
    chroma[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
  }
}

int chartpipe_split_luma(const uint8_t *pixels, size_t width, size_t height, uint8_t *luma, size_t luma_stride,
                         uint8_t *blue, uint8_t *red, size_t chroma_stride) {
  if (width == 0 || height == 0 || width > WIDEST || width % 2 != 0 || height % 2 != 0) return 0;
  for (size_t row = 0; row < height; row++) luma_row(pixels + 4 * row * width, width, luma + row * luma_stride);
  struct chroma_row rows[3];
  mean_row(pixels, width, &rows[0]);
  for (size_t row = 0; row < height / 2; row++) {
    struct chroma_row *own = &rows[row % 3], *next = &rows[(row + 1) % 3];
    const struct chroma_row *above = row > 0 ? &rows[(row + 2) % 3] : own;
    const int is_last = row + 1 == height / 2;
    if (!is_last) mean_row(pixels + 4 * (2 * row + 2) * width, width, next);
    const struct chroma_row *below = is_last ? own : next;
    for (int plane = 0; plane < 2; plane++) {
      uint8_t *chroma = (plane == 0 ? blue : red) + row * chroma_stride;
      sharpen_row(above->values[plane], own->values[plane], below->values[plane], width / 2, chroma);
    }
  }
  return 1;
}
