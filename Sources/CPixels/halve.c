#include "pixels.h"

#include <string.h>

static uint32_t load(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, 4);
  return value;
}

// Four opaque pixels: channels are added in pairs within one number, as 16-bit lanes.
static uint32_t mean_of_opaque(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  const uint32_t lanes = 0x00FF00FF, two = 0x00020002;
  uint32_t even = (a & lanes) + (b & lanes) + (c & lanes) + (d & lanes) + two;
  uint32_t odd = ((a >> 8) & lanes) + ((b >> 8) & lanes) + ((c >> 8) & lanes) + ((d >> 8) & lanes) + two;
  return ((even >> 2) & lanes) | (((odd >> 2) & lanes) << 8);
}

static void mean_of_any(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d, uint8_t *out) {
  uint32_t weight = (uint32_t)a[3] + b[3] + c[3] + d[3];
  if (weight == 0) {
    memset(out, 0, 4);
    return;
  }
  for (int i = 0; i < 3; i++) {
    uint32_t sum = (uint32_t)a[i] * a[3] + (uint32_t)b[i] * b[3] + (uint32_t)c[i] * c[3] + (uint32_t)d[i] * d[3];
    out[i] = (uint8_t)((sum + weight / 2) / weight);
  }
  uint32_t alpha = (weight + 2) / 4;
  out[3] = (uint8_t)(alpha > 0 ? alpha : 1);
}

static int is_opaque(const uint8_t *pixels, size_t count) {
  uint32_t common = UINT32_MAX;
  for (size_t i = 0; i < count; i++) common &= load(pixels + 4 * i);
  uint8_t bytes[4];
  memcpy(bytes, &common, 4);
  return bytes[3] == 255;
}

// Without branches, so that the compiler uses vectors.
static void halve_opaque_row(const uint8_t *above, const uint8_t *below, size_t width, uint8_t *out) {
  for (size_t i = 0; i < width; i++) {
    const uint8_t *left = above + 8 * i, *lower = below + 8 * i;
    const uint32_t mean = mean_of_opaque(load(left), load(left + 4), load(lower), load(lower + 4));
    memcpy(out + 4 * i, &mean, 4);
  }
}

void chartpipe_halve(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride,
                     size_t target_width, size_t target_height) {
  for (size_t row = 0; row < target_height; row++) {
    const uint8_t *above = source + 2 * row * source_stride, *below = above + source_stride;
    uint8_t *out = target + row * target_stride;
    if (is_opaque(above, 2 * target_width) && is_opaque(below, 2 * target_width)) {
      halve_opaque_row(above, below, target_width, out);
      continue;
    }
    for (size_t column = 0; column < target_width; column++, above += 8, below += 8, out += 4) {
      mean_of_any(above, above + 4, below, below + 4, out);
    }
  }
}
