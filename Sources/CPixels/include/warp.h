// The warp's inner loops: resample a window of a chart by a separable kernel. All arithmetic is on integers, so that plain C
// and vector instructions of every processor give the same bytes.
#ifndef CHARTPIPE_WARP_H
#define CHARTPIPE_WARP_H

#include <stddef.h>
#include <stdint.h>

// Looks up a rectangle of palette indexes. A pixel becomes four 16-bit numbers: red, green, blue and alpha, from 0 to
// 255, the colours weighted by the alpha. If there is a mask, its zeros become transparent. Strides are in pixels.
void chartpipe_expand(const uint8_t *indexes, size_t stride, const uint8_t *mask, size_t mask_stride,
                      const int16_t colors[1024], int16_t *target, size_t target_stride, size_t width, size_t height);

// The same for pixels that have their own colours: RGBA, not premultiplied. The stride is in pixels.
void chartpipe_expand_colors(const uint8_t *pixels, size_t stride, const uint8_t *mask, size_t mask_stride,
                             int16_t *target, size_t target_stride, size_t width, size_t height);

// The input: a square of cells, each a square of pixels.
struct chartpipe_warp {
  // Expanded pixels, row by row.
  const int16_t *window;
  int32_t width, height;
  // For each of 256 phases, one weight for each tap, with a sum of 16384. The number of taps is even, and the same across and
  // down.
  const int16_t *weights_across, *weights_down;
  int32_t taps;
  // For each corner of a cell, the position across and down of a pixel's first tap, in 65536ths of a window's pixel;
  // positions between corners are bilinear. There is one more corner than cells on a side.
  const int32_t *corners;
  int32_t cells;
  // The side of a cell is 2 to this power pixels, at most 32.
  int32_t cell_bits;
};

// The instructions to use. If they are not available, the next lower ones are used.
enum chartpipe_level { CHARTPIPE_PLAIN, CHARTPIPE_BASELINE, CHARTPIPE_FASTEST };

// Writes RGBA, not premultiplied; the stride is in bytes. A cell that is not completely in the window becomes
// transparent. Returns 0 if no pixel is visible.
int chartpipe_warp(const struct chartpipe_warp *job, enum chartpipe_level level, uint8_t *target, size_t stride);

#endif
