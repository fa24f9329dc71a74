// The warp's inner loops: a window of a chart resampled by a separable kernel. Whole numbers throughout, so that plain C
// and every processor's own instructions give the same bytes.
#ifndef CHARTPIPE_WARP_H
#define CHARTPIPE_WARP_H

#include <stddef.h>
#include <stdint.h>

// Looks up a rectangle of palette indexes. A pixel becomes four 16-bit numbers: red, green, blue and alpha, from 0 to
// 255, the colours weighed by the alpha. Where there is a mask, what it has 0 for becomes nothing. Strides are in pixels.
void chartpipe_expand(const uint8_t *indexes, size_t stride, const uint8_t *mask, size_t mask_stride,
                      const int16_t colors[1024], int16_t *target, size_t target_stride, size_t width, size_t height);

// What is warped: a square of cells, each a square of pixels.
struct chartpipe_warp {
  // Expanded pixels, row by row.
  const int16_t *window;
  int32_t width, height;
  // For each of 256 phases, one weight a tap; they add up to 16384. The number of taps is even.
  const int16_t *weights;
  int32_t taps;
  // Across and down, where the first tap of a pixel at each corner of a cell would be, in 65536ths of a window's pixel;
  // in between, positions are bilinear. There is one corner more than cells a side.
  const int32_t *corners;
  int32_t cells;
  // Cells have 2 to this power pixels a side, at most 32.
  int32_t cell_bits;
};

// Which instructions are used; an absent kind gives way to the next lower one.
enum chartpipe_level { CHARTPIPE_PLAIN, CHARTPIPE_BASELINE, CHARTPIPE_FASTEST };

// Writes RGBA, not premultiplied; the stride is in bytes. A cell that is not wholly within the window becomes
// transparent. Gives 0 when nothing is to be seen at all.
int chartpipe_warp(const struct chartpipe_warp *job, enum chartpipe_level level, uint8_t *target, size_t stride);

#endif
