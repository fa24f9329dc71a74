#include "pixels.h"

// The four channels of a pixel as lanes of one number, so that they are added at once. A lane holds the sum of 257.
enum { RUN = 256 };

static uint64_t lanes(const uint8_t *pixel) {
  uint32_t alpha = pixel[3];
  if (alpha == 0) return 0;
  uint64_t red = (pixel[0] * alpha + 127) / 255, green = (pixel[1] * alpha + 127) / 255;
  uint64_t blue = (pixel[2] * alpha + 127) / 255;
  return red | green << 16 | blue << 32 | (uint64_t)alpha << 48;
}

static void spill(uint64_t sum, uint64_t sums[4]) {
  for (int i = 0; i < 4; i++) sums[i] += sum >> 16 * i & 0xFFFF;
}

static void add_pixels(const uint8_t *pixels, size_t count, uint64_t sums[4]) {
  while (count > 0) {
    size_t run = count < RUN ? count : RUN;
    uint64_t sum = 0;
    for (size_t i = 0; i < run; i++) sum += lanes(pixels + 4 * i);
    spill(sum, sums);
    pixels += 4 * run;
    count -= run;
  }
}

static void add_indexes(const uint8_t *indexes, const uint64_t *colors, size_t count, uint64_t sums[4]) {
  while (count > 0) {
    size_t run = count < RUN ? count : RUN;
    uint64_t sum = 0;
    for (size_t i = 0; i < run; i++) sum += colors[indexes[i]];
    spill(sum, sums);
    indexes += run;
    count -= run;
  }
}

// One of the two, `colors` being NULL for pixels.
static int mean_cells(const uint8_t *image, const uint64_t *colors, size_t width, size_t height, size_t cells,
                      uint8_t *means) {
  size_t across = width / cells, down = height / cells, count = across * down;
  int is_seen = 0;
  for (size_t cell = 0; cell < cells * cells; cell++) {
    size_t left = cell % cells * across, top = cell / cells * down;
    uint64_t sums[4] = {0, 0, 0, 0};
    for (size_t row = top; row < top + down; row++) {
      size_t place = row * width + left;
      if (colors) add_indexes(image + place, colors, across, sums);
      else add_pixels(image + 4 * place, across, sums);
    }
    for (int i = 0; i < 4; i++) means[4 * cell + i] = (uint8_t)((sums[i] + count / 2) / count);
    if (sums[3] > 0) is_seen = 1;
  }
  return is_seen;
}

int chartpipe_mean_cells(const uint8_t *pixels, size_t width, size_t height, size_t cells, uint8_t *means) {
  return mean_cells(pixels, NULL, width, height, cells, means);
}

int chartpipe_mean_cells_of_indexes(const uint8_t *indexes, const uint8_t *palette, size_t width, size_t height,
                                    size_t cells, uint8_t *means) {
  uint64_t colors[256];
  for (int i = 0; i < 256; i++) colors[i] = lanes(palette + 4 * i);
  return mean_cells(indexes, colors, width, height, cells, means);
}
