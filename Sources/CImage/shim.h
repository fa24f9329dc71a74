// What Swift sees of libpng. It reports errors by longjmp, which must never unwind a Swift frame: so a whole image is
// written or read within one function here, and what comes back is a code and a message.
#ifndef CHARTPIPE_CIMAGE_SHIM_H
#define CHARTPIPE_CIMAGE_SHIM_H

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// Bytes that grow (encoding) or are consumed (decoding), and what libpng said last. Free `bytes` after encoding.
typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  size_t position;
  char message[128];
} chartpipe_png_stream;

// How an image is to be written. `palette` and `alphas` are used by palette images only; the first
// `transparent_count` entries are the ones that are not opaque.
typedef struct {
  uint32_t width, height;
  int color_type, bit_depth;
  // The row has four bytes a pixel, but the fourth one is not written.
  int drops_alpha;
  int level, filters;
  const png_color *palette;
  const uint8_t *alphas;
  int palette_count, transparent_count;
} chartpipe_png_layout;

// The importer drops constants that are made of others.
static const int chartpipe_png_all_filters = PNG_ALL_FILTERS;

typedef struct {
  uint8_t *pixels;  // RGBA, to be freed by the caller
  uint32_t width, height;
} chartpipe_png_image;

static inline void chartpipe_png_fail(png_structp png, png_const_charp message) {
  chartpipe_png_stream *stream = (chartpipe_png_stream *)png_get_error_ptr(png);
  strncpy(stream->message, message, sizeof stream->message - 1);
  png_longjmp(png, 1);
}

static inline void chartpipe_png_ignore(png_structp png, png_const_charp message) { (void)png; (void)message; }

static inline void chartpipe_png_flush(png_structp png) { (void)png; }

static inline void chartpipe_png_append(png_structp png, png_bytep bytes, size_t count) {
  chartpipe_png_stream *stream = (chartpipe_png_stream *)png_get_io_ptr(png);
  if (stream->count + count > stream->capacity) {
    size_t capacity = 2 * (stream->count + count) + 4096;
    uint8_t *larger = (uint8_t *)realloc(stream->bytes, capacity);
    if (larger == NULL) png_error(png, "out of memory");
    stream->bytes = larger;
    stream->capacity = capacity;
  }
  memcpy(stream->bytes + stream->count, bytes, count);
  stream->count += count;
}

static inline void chartpipe_png_take(png_structp png, png_bytep bytes, size_t count) {
  chartpipe_png_stream *stream = (chartpipe_png_stream *)png_get_io_ptr(png);
  if (count > stream->count - stream->position) png_error(png, "the file ends too early");
  memcpy(bytes, stream->bytes + stream->position, count);
  stream->position += count;
}

// Returns 0 when the whole file stands in `out`. No time and no text chunk is written: same pixels, same bytes.
static inline int chartpipe_png_encode(
    const chartpipe_png_layout *layout, const uint8_t *pixels, size_t row_bytes, chartpipe_png_stream *out) {
  png_structp png = png_create_write_struct(
      PNG_LIBPNG_VER_STRING, out, chartpipe_png_fail, chartpipe_png_ignore);
  if (png == NULL) return 1;
  png_infop info = png_create_info_struct(png);
  if (info == NULL || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 1;
  }
  png_set_write_fn(png, out, chartpipe_png_append, chartpipe_png_flush);
  png_set_compression_level(png, layout->level);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, layout->filters);
  png_set_IHDR(png, info, layout->width, layout->height, layout->bit_depth, layout->color_type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  if (layout->palette_count > 0) png_set_PLTE(png, info, layout->palette, layout->palette_count);
  if (layout->transparent_count > 0) png_set_tRNS(png, info, layout->alphas, layout->transparent_count, NULL);
  png_write_info(png, info);
  if (layout->bit_depth < 8) png_set_packing(png);
  if (layout->drops_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (uint32_t row = 0; row < layout->height; row++) png_write_row(png, pixels + row * row_bytes);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return 0;
}

// Returns 0 when the whole image, of whatever kind of PNG, stands in `image` as RGBA.
static inline int chartpipe_png_decode(chartpipe_png_stream *in, uint32_t side_limit, chartpipe_png_image *image) {
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
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  image->width = png_get_image_width(png, info);
  image->height = png_get_image_height(png, info);
  size_t row_bytes = (size_t)image->width * 4;
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
