// The parts of libpng for Swift. libpng reports errors by longjmp, which must never unwind a Swift frame: so a whole image is
// read within one C function, which returns a code and a message.
#ifndef CHARTPIPE_CIMAGE_SHIM_H
#define CHARTPIPE_CIMAGE_SHIM_H

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The input bytes and libpng's last message.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t position;
  char message[128];
} chartpipe_png_stream;

typedef struct {
  uint8_t *pixels;  // freed by the caller; RGBA, or palette indexes
  uint32_t width, height;
  int is_indexed;
  uint8_t palette[1024];  // RGBA
} chartpipe_png_image;

static inline void chartpipe_png_fail(png_structp png, png_const_charp message) {
  chartpipe_png_stream *stream = (chartpipe_png_stream *)png_get_error_ptr(png);
  strncpy(stream->message, message, sizeof stream->message - 1);
  png_longjmp(png, 1);
}

static inline void chartpipe_png_ignore(png_structp png, png_const_charp message) { (void)png; (void)message; }

static inline void chartpipe_png_take(png_structp png, png_bytep bytes, size_t count) {
  chartpipe_png_stream *stream = (chartpipe_png_stream *)png_get_io_ptr(png);
  if (count > stream->count - stream->position) png_error(png, "the file ends too early");
  memcpy(bytes, stream->bytes + stream->position, count);
  stream->position += count;
}

// Makes libpng return one byte for each pixel, and copies the palette.
static inline void chartpipe_png_keep_palette(png_structp png, png_infop info, chartpipe_png_image *image) {
  png_colorp colors = NULL;
  png_bytep alphas = NULL;
  int color_count = 0, alpha_count = 0;
  png_set_packing(png);
  png_get_PLTE(png, info, &colors, &color_count);
  png_get_tRNS(png, info, &alphas, &alpha_count, NULL);
  for (int i = 0; i < 256; i++) {
    uint8_t *color = image->palette + 4 * i;
    if (i < color_count) memcpy(color, &colors[i], 3);
    color[3] = i < alpha_count ? alphas[i] : 255;
  }
}

// Returns 0 when the whole image of any kind of PNG is in `image`: as RGBA, or, if requested and it has
// a palette, as indexes.
static inline int chartpipe_png_decode(chartpipe_png_stream *in, uint32_t side_limit, int keep_palette,
                                       chartpipe_png_image *image) {
  png_structp png = png_create_read_struct(
      PNG_LIBPNG_VER_STRING, in, chartpipe_png_fail, chartpipe_png_ignore);
  if (png == NULL) return 1;
  png_infop info = png_create_info_struct(png);
  if (info == NULL || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return 1;
  }
  png_set_read_fn(png, in, chartpipe_png_take);
  png_set_user_limits(png, side_limit, side_limit);
  png_read_info(png, info);
  image->is_indexed = keep_palette && png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE;
  if (image->is_indexed) {
    chartpipe_png_keep_palette(png, info, image);
  } else {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  }
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  image->width = png_get_image_width(png, info);
  image->height = png_get_image_height(png, info);
  size_t row_bytes = (size_t)image->width * (image->is_indexed ? 1 : 4);
  if (png_get_rowbytes(png, info) != row_bytes) png_error(png, "an unknown kind of PNG");
  image->pixels = (uint8_t *)calloc(image->height, row_bytes);
  if (image->pixels == NULL) png_error(png, "out of memory");
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t row = 0; row < image->height; row++)
      png_read_row(png, image->pixels + row * row_bytes, NULL);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  return 0;
}

#endif
