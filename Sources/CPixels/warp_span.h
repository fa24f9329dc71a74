// Code shared by all implementations of warping one row of a cell.
#ifndef CHARTPIPE_WARP_SPAN_H
#define CHARTPIPE_WARP_SPAN_H

#include "warp.h"

#include <string.h>

// Weights have 14 fractional bits. Between the passes a colour keeps 6 bits, which leaves room in 16 bits for the
// kernel's overshoot; the sums of the second pass have 20.
enum { FIRST_SHIFT = 8, FIRST_HALF = 1 << 7, SUM_SHIFT = 20, SUM_HALF = 1 << 19 };
// The sum of a completely covered pixel, rounding included.
enum { OPAQUE_SUM = (255 << SUM_SHIFT) + SUM_HALF };

// Pixels of one row. The upper half of a position counts in 256ths of a window's pixel.
struct span {
  int64_t x, y, x_step, y_step;
  int count;
};

// Returns the bitwise OR of all alphas.
typedef uint32_t span_warper(const struct chartpipe_warp *job, struct span span, uint8_t *out);

// From the sums of red, green, blue and alpha to a pixel that is not premultiplied.
uint32_t chartpipe_settle(const int32_t sums[4]);

// Two neighbouring weights in one number.
static inline int32_t weight_pair(const int16_t *weights) {
  int32_t pair;
  memcpy(&pair, weights, 4);
  return pair;
}

// The loop of a span around the code for one pixel. Kernels of 4 and 6 taps, the most common ones, have separate loops.
#define SPAN_LOOP(pixel, job, span, out, count_of_taps)                                                \
  do {                                                                                                 \
    const ptrdiff_t row = (ptrdiff_t)(job).width * 4;                                                  \
    for (int i = 0; i < (span).count; i++, (span).x += (span).x_step, (span).y += (span).y_step) {     \
      const uint32_t x = (uint32_t)((span).x >> 32), y = (uint32_t)((span).y >> 32);                   \
      uint32_t color = pixel((job).window + (y >> 8) * row + 4 * (x >> 8), row,                        \
                             (job).weights_across + (x & 255) * (uint32_t)(count_of_taps),             \
                             (job).weights_down + (y & 255) * (uint32_t)(count_of_taps), count_of_taps); \
      memcpy((out) + 4 * i, &color, 4);                                                                \
      seen |= color;                                                                                   \
    }                                                                                                  \
  } while (0)

// The job is copied, since what is written could change the original for all that the compiler knows.
#define DEFINE_SPAN_WARPER(name, attributes, pixel)                                                    \
  attributes uint32_t name(const struct chartpipe_warp *original, struct span span, uint8_t *out) {    \
    const struct chartpipe_warp job = *original;                                                       \
    uint32_t seen = 0;                                                                                 \
    switch (job.taps) {                                                                                \
    case 4: SPAN_LOOP(pixel, job, span, out, 4); break;                                                \
    case 6: SPAN_LOOP(pixel, job, span, out, 6); break;                                                \
    default: SPAN_LOOP(pixel, job, span, out, job.taps); break;                                        \
    }                                                                                                  \
    return seen & chartpipe_alpha_bits();                                                              \
  }

// The last byte of a pixel in memory.
static inline uint32_t chartpipe_alpha_bits(void) {
  const uint8_t bytes[4] = {0, 0, 0, 255};
  uint32_t bits;
  memcpy(&bits, bytes, 4);
  return bits;
}

span_warper chartpipe_span_baseline, chartpipe_span_fastest;
int chartpipe_has_baseline(void), chartpipe_has_fastest(void);

#endif
