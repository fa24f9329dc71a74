#include "warp_span.h"

void chartpipe_expand(const uint8_t *indexes, size_t stride, const uint8_t *mask, size_t mask_stride,
                      const int16_t colors[1024], int16_t *target, size_t target_stride, size_t width, size_t height) {
  for (size_t row = 0; row < height; row++) {
    const uint8_t *from = indexes + row * stride;
    int16_t *to = target + row * target_stride * 4;
    for (size_t column = 0; column < width; column++) memcpy(to + 4 * column, colors + 4 * from[column], 8);
    if (!mask) continue;
    const uint8_t *inside = mask + row * mask_stride;
    for (size_t column = 0; column < width; column++) {
      if (!inside[column]) memset(to + 4 * column, 0, 8);
    }
  }
}

// Premultiplied, rounded to nearest.
static void expand_color(const uint8_t *pixel, int16_t *out) {
  const int alpha = pixel[3];
  for (int i = 0; i < 3; i++) out[i] = (int16_t)((pixel[i] * alpha + 127) / 255);
  out[3] = (int16_t)alpha;
}

void chartpipe_expand_colors(const uint8_t *pixels, size_t stride, const uint8_t *mask, size_t mask_stride,
                             int16_t *target, size_t target_stride, size_t width, size_t height) {
  for (size_t row = 0; row < height; row++) {
    const uint8_t *from = pixels + row * stride * 4;
    int16_t *to = target + row * target_stride * 4;
    uint8_t common = 255;
    for (size_t column = 0; column < width; column++) common &= from[4 * column + 3];
    if (common == 255) {
      for (size_t i = 0; i < 4 * width; i++) to[i] = from[i];
    } else {
      for (size_t column = 0; column < width; column++) expand_color(from + 4 * column, to + 4 * column);
    }
    if (!mask) continue;
    const uint8_t *inside = mask + row * mask_stride;
    for (size_t column = 0; column < width; column++) {
      if (!inside[column]) memset(to + 4 * column, 0, 8);
    }
  }
}

uint32_t chartpipe_settle(const int32_t sums[4]) {
  uint8_t pixel[4] = {0};
  // Rounding is included in the sums. A kernel also overshoots coverage, which is then clamped.
  const int32_t alpha = sums[3] >> SUM_SHIFT;
  const int64_t weight = (int64_t)sums[3] - SUM_HALF;
  if (alpha > 0) {
    for (int i = 0; i < 3; i++) {
      const int64_t color = ((int64_t)sums[i] - SUM_HALF) * 255 + weight / 2;
      pixel[i] = color <= 0 ? 0 : color >= 255 * weight ? 255 : (uint8_t)(color / weight);
    }
    pixel[3] = alpha > 255 ? 255 : (uint8_t)alpha;
  }
  uint32_t color;
  memcpy(&color, pixel, 4);
  return color;
}

static inline uint32_t plain_pixel(const int16_t *tap, ptrdiff_t row, const int16_t *across, const int16_t *down,
                                   int taps) {
  int32_t sums[4] = {SUM_HALF, SUM_HALF, SUM_HALF, SUM_HALF};
  for (int column = 0; column < taps; column++, tap += 4) {
    for (int channel = 0; channel < 4; channel++) {
      int32_t sum = FIRST_HALF;
      for (int line = 0; line < taps; line++) sum += tap[line * row + channel] * down[line];
      sums[channel] += (int16_t)(sum >> FIRST_SHIFT) * across[column];
    }
  }
  return chartpipe_settle(sums);
}

static DEFINE_SPAN_WARPER(plain_span, , plain_pixel)

// MARK: Cells

struct corner {
  int32_t x, y;
};

static struct corner corner_at(const struct chartpipe_warp *job, int row, int column) {
  const int32_t *pair = job->corners + 2 * (row * (job->cells + 1) + column);
  return (struct corner){pair[0], pair[1]};
}

// Whether every tap of a pixel here is in the window. Positions that are bilinear between four such corners are, too.
static int is_within(const struct chartpipe_warp *job, struct corner corner) {
  const int64_t one = 1 << 16, half_phase = 1 << 7;
  return corner.x >= 0 && corner.x + half_phase < (job->width - job->taps + 1) * one && corner.y >= 0 &&
         corner.y + half_phase < (job->height - job->taps + 1) * one;
}

// One coordinate of a cell's row of pixels: its first value and its step.
struct run {
  int64_t first, step;
};

// The pixels' centres are at the odd positions of twice as many steps.
static struct run run_along(const int32_t corners[4], int row, int bits) {
  const int parts = 2 << bits, part = 2 * row + 1;
  const int64_t left = (int64_t)corners[0] * (parts - part) + (int64_t)corners[2] * part;
  const int64_t right = (int64_t)corners[1] * (parts - part) + (int64_t)corners[3] * part;
  return (struct run){left * parts + (right - left), 2 * (right - left)};
}

static uint32_t warp_cell(const struct chartpipe_warp *job, span_warper *warp, int row, int column, uint8_t *target,
                          size_t stride) {
  const int side = 1 << job->cell_bits;
  const struct corner corners[4] = {corner_at(job, row, column), corner_at(job, row, column + 1),
                                    corner_at(job, row + 1, column), corner_at(job, row + 1, column + 1)};
  for (int i = 0; i < 4; i++) {
    if (is_within(job, corners[i])) continue;
    for (int line = 0; line < side; line++) memset(target + line * stride, 0, 4 * side);
    return 0;
  }
  const int32_t xs[4] = {corners[0].x, corners[1].x, corners[2].x, corners[3].x};
  const int32_t ys[4] = {corners[0].y, corners[1].y, corners[2].y, corners[3].y};
  // Corners are in 65536ths, multiplied by the parts of the cell across and down.
  const int64_t unit = (int64_t)1 << (22 - 2 * job->cell_bits), half = (int64_t)1 << 31;
  uint32_t seen = 0;
  for (int line = 0; line < side; line++) {
    const struct run x = run_along(xs, line, job->cell_bits), y = run_along(ys, line, job->cell_bits);
    const struct span span = {x.first * unit + half, y.first * unit + half, x.step * unit, y.step * unit, side};
    seen |= warp(job, span, target + line * stride);
  }
  return seen;
}

int chartpipe_warp(const struct chartpipe_warp *job, enum chartpipe_level level, uint8_t *target, size_t stride) {
  span_warper *warp = plain_span;
  if (level >= CHARTPIPE_BASELINE && chartpipe_has_baseline()) warp = chartpipe_span_baseline;
  if (level >= CHARTPIPE_FASTEST && chartpipe_has_fastest()) warp = chartpipe_span_fastest;
  const size_t side = (size_t)1 << job->cell_bits;
  uint32_t seen = 0;
  for (int row = 0; row < job->cells; row++) {
    for (int column = 0; column < job->cells; column++) {
      seen |= warp_cell(job, warp, row, column, target + row * side * stride + column * side * 4, stride);
    }
  }
  return seen != 0;
}
