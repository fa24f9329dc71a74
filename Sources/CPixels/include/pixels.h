// The inner loops over pixels, in C because it is faster. All arithmetic is on integers,
// so that every processor gives the same bytes. Nothing here allocates or depends on charts.
#ifndef CHARTPIPE_PIXELS_H
#define CHARTPIPE_PIXELS_H

#include <stddef.h>
#include <stdint.h>

// Half the size: each pixel is the mean of four, its colours weighted by their alphas, rounded to nearest. A visible pixel
// never becomes invisible. Pixels are RGBA; strides are in bytes.
void chartpipe_halve(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride,
                     size_t target_width, size_t target_height);

// --- Coverage -------------------------------------------------------------------------------------------------------

// The least and the greatest alpha; 255 and 0 for no pixels.
void chartpipe_alpha_range(const uint8_t *pixels, size_t count, uint8_t *least, uint8_t *most);

// --- Surveys ----------------------------------------------------------------------------------------------------------

// The largest width of a surveyed image, and the most cells along its side.
enum { CHARTPIPE_LARGEST = 4096, CHARTPIPE_CELLS = 16 };

// The place of an image on the cells of a sheet: its corners, north-west, north-east, south-west and south-east, in 65536ths of a
// cell (columns and rows less than 2^14 cells; positions between are linear), and the cells to add it to.
typedef struct {
  int32_t corners[8], column, row, columns, rows;
} chartpipe_sheet_place;

// Measures an image of RGBA, or of indexes into a palette of 256 colours, RGBA. Returns 0 if no pixel is visible.
//
// `lights` gets the lightness of each pixel, 0 for transparent ones; it has room for four bytes more.
// `means` gets the mean of each cell of the image, as many across as down, rounded to nearest: the colour as seen over black, and
// the alpha. The size of the image must be divisible by the number of cells.
// `sums`: with a sheet, the image is added to the cells that contain its pixels. Each cell of the place has eight sums: red, green,
// blue, alpha, the number of pixels, the squared differences in lightness to the eastern neighbour in every fourth row and to the
// southern one in every fourth column, and the number of the former. Colours are as seen over black.
int chartpipe_survey(const uint8_t *image, const uint8_t *palette, size_t width, size_t height, size_t cells,
                     const chartpipe_sheet_place *sheet, uint8_t *lights, uint8_t *means, uint64_t *sums);

// Adds two numbers for each cell: the squares of the differences in lightness between neighbours in a row, and half the squares of
// how much these differences change to the next row. They are sums over every fourth row of a square image, for cells * cells cells,
// and over every fourth row of the same at half its size, for a quarter as many. The rows of the first are those that the second has
// of the four images below it. Returns 0 for an image that cannot be divided into cells.
int chartpipe_tile_detail(const uint8_t *lights, size_t side, size_t cells, uint32_t *own, uint32_t *halved);

// --- A sheet's rows of palette indexes, one at a time ------------------------------------------------------------------

// Adds a row's colours (palette: 256 of RGBA) to the sums of adjacent cells, red, green and blue of each.
void chartpipe_add_cell_colors(const uint8_t *row, size_t cells, size_t side, const uint8_t *palette, uint32_t *sums);

// Adds the squared differences in lightness between the two pixels of each pair to the sums of adjacent cells. The first
// pair of each cell begins at its pixel `first`.
void chartpipe_add_cell_texture(const uint8_t *row, size_t cells, size_t side, size_t first, const uint8_t *lights,
                                uint32_t *sums);

// Whether all bytes are equal.
int chartpipe_is_even(const uint8_t *bytes, size_t count);

// Counts the occurrences of a value.
size_t chartpipe_count_byte(const uint8_t *bytes, size_t count, uint8_t value);

// Counts each index in a block of 32 x 32, in every eighth row. Returns whether any of the 256 counts is
// greater than the best one.
int chartpipe_count_inks(const uint8_t *block, size_t stride, const uint8_t *best, uint8_t *counts);

// Counts, for each column, whether a row differs from the one above it.
void chartpipe_count_changes(const uint8_t *row, const uint8_t *above, size_t count, uint16_t *changes);

// --- Palettes: colours in bins by their six upper bits a channel, 64 * 64 * 64 of them, blue changing first -----------

// Counts opaque pixels. A bin has twelve counters: the occurrences of each of its four values, for
// red, for green and for blue. They give its exact mean, and the colour of most of its pixels. Counters saturate.
void chartpipe_count_colors(const uint8_t *pixels, size_t count, uint32_t *census);

// A bin with at least one pixel. The mode is the value of more than half of its pixels, channel by channel.
typedef struct {
  uint32_t place;
  uint8_t mode[3], has_mode;
  uint64_t weight, sums[3];
} chartpipe_color_bin;

// Lists the non-empty bins in order, and returns their number; with NULL it only counts them.
size_t chartpipe_list_bins(const uint32_t *census, chartpipe_color_bin *bins);

// Writes for each bin the number of the nearest colour plus one (red, green, blue; 1 to 255 of them; the first of
// equals). The distance is from the bin's point, whose three channels are in 32nds of a level and lie within the bin. Bins that
// are not wanted are not changed; NULL means all bins.
void chartpipe_fill_table(const uint8_t *colors, size_t count, const uint16_t *points, const uint8_t *wanted,
                          uint8_t *table);

// Looks up each pixel in the table; 0 if the alpha is less than the least. A pixel may take the index of the pixel before it, or
// of one of the three above it, where that makes the indexes easier to compress at a small error; but not in a flat tint, which
// would be lost completely. `slack` (squared, over the three channels) sets how much error the bytes are worth; a pixel's own
// error is at most 25 ninths of it, or that of its colour in the table. Each 256 columns are mapped by themselves. `used` has 256
// entries; those of the existing indexes become 1.
void chartpipe_map_colors(const uint8_t *pixels, size_t width, size_t height, uint8_t least_alpha,
                          const uint8_t *table, const uint8_t *colors, size_t color_count, uint32_t slack,
                          uint8_t *indexes, uint8_t *used);

// Renumbers indexes and writes their colours (RGBA).
void chartpipe_paint_indexes(const uint8_t *indexes, size_t count, const uint8_t *numbers, const uint8_t *colors,
                             uint8_t *pixels);

// --- Rows in PNG's form, each with a leading filter type: 0, for none ----------------------------------------------------------

// Renumbers indexes and packs them at 1, 2, 4 or 8 bits each, without a filter.
void chartpipe_pack_indexes(const uint8_t *indexes, size_t width, size_t height, const uint8_t *numbers, int depth,
                            uint8_t *rows);

// The reverse, for rows that contain indexes of some colours. Returns 0 if a row has a filter or an index no colour.
int chartpipe_unpack_indexes(const uint8_t *rows, size_t width, size_t height, int depth, int colors, uint8_t *indexes);

// Converts RGBA to three channels, or to four without colour where the alpha is 0, without a filter.
void chartpipe_pack_channels(const uint8_t *pixels, size_t width, size_t height, size_t channels, uint8_t *rows);

// Filters rows of that form, of so many bytes after the filter type, each with the filter that leaves the least differences.
void chartpipe_filter_rows(const uint8_t *rows, size_t bytes, size_t height, size_t channels, uint8_t *filtered);

// --- WebP -------------------------------------------------------------------------------------------------------------

// Converts the colours of RGBA to luma, and to blue and red chroma of half the size, sharpened for the interpolation of
// decoders: the quality of libwebp's `use_sharp_yuv` in a tenth of the time. Returns 0 for an odd or a very large size and
// writes nothing then.
int chartpipe_split_luma(const uint8_t *pixels, size_t width, size_t height, uint8_t *luma, size_t luma_stride,
                         uint8_t *blue, uint8_t *red, size_t chroma_stride);

#endif
