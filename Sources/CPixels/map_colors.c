#include "pixels.h"

#include <string.h>

// Vectors of 32 bytes are passed between functions of this file only.
#pragma GCC diagnostic ignored "-Wpsabi"

// Each row depends on its pixels from left to right, but not on other rows. So eight rows are mapped at once, one in each lane:
// without branches, which would be mispredicted at every other pixel. A lane is a colour, its red in the lowest byte, and above it
// the index or the alpha.
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 8, SPAN = 256, TOP = 24 };
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t signed_lanes __attribute__((vector_size(4 * LANES)));
typedef uint16_t halves __attribute__((vector_size(4 * LANES)));

// Rows of pixels in the order in which they are read.
struct strip {
  lanes pixels[SPAN + 1], nearest[SPAN], chosen[SPAN];
};

// The squared distance between colours over the three channels.
INLINE lanes apart(lanes a, lanes b) {
  const halves outer = (halves)(a & 0x00FF00FF) - (halves)(b & 0x00FF00FF);
  const halves green = (halves)(a >> 8 & 0xFF) - (halves)(b >> 8 & 0xFF);
  const lanes squares = (lanes)(outer * outer);
  return (squares & 0xFFFF) + (squares >> 16) + (lanes)(green * green);
}

// The results are masks: all bits of a lane or none.
INLINE lanes is_less(lanes a, lanes b) { return (lanes)((signed_lanes)a < (signed_lanes)b); }
INLINE lanes is_same(lanes a, lanes b) { return (lanes)(a == b); }
INLINE lanes is_transparent(lanes color) { return (lanes)(color == 0); }

INLINE lanes choose(lanes mask, lanes a, lanes b) { return (mask & a) | (~mask & b); }

// A pixel keeps the index of the one before it within the tolerance.
INLINE void extend_runs(struct strip *strip, size_t width, uint32_t slack) {
  lanes last = {0};
  const lanes limit = last + slack + 1;
  for (size_t i = 0; i < width; i++) {
    const lanes pixel = strip->pixels[i], nearest = strip->nearest[i];
    const lanes is_flat = is_same(pixel, strip->pixels[i + 1]);
    const lanes stays = is_less(apart(pixel, last), limit) & ~(is_flat | is_transparent(nearest) | is_transparent(last));
    strip->chosen[i] = last = choose(stays, last, nearest);
  }
}

// The last pixels of a run get the index of the following run if they are nearer to its colour. Otherwise faint print would
// move, since each run continues as long as the tolerance allows. A run of one or two pixels joins the following one within the
// tolerance.
INLINE void end_runs(struct strip *strip, size_t width, uint32_t slack) {
  lanes next = {0};
  const lanes limit = next + slack + 1;
  for (size_t i = width; i-- > 0;) {
    const lanes pixel = strip->pixels[i], own = strip->chosen[i];
    const lanes previous = i > 0 ? strip->chosen[i - 1] : own, second = i > 1 ? strip->chosen[i - 2] : own;
    const lanes distance = apart(pixel, next);
    const lanes is_copied = ~is_same(own, strip->nearest[i]);
    const lanes is_flat = is_same(pixel, strip->pixels[i + 1]);
    const lanes is_short = ~((is_same(own, previous) & is_same(own, second)) | is_transparent(own) | is_flat);
    const lanes yields = (is_copied & is_less(distance, apart(pixel, own))) | (is_short & is_less(distance, limit));
    strip->chosen[i] = next = choose(yields & ~is_transparent(next), next, own);
  }
}

static void map_strip(struct strip *strip, size_t width, uint32_t slack) {
  extend_runs(strip, width, slack);
  end_runs(strip, width, slack);
}

// The same compiled for wider registers: arithmetic on integers, so the result is the same.
#if defined(__x86_64__)
__attribute__((target("avx2"))) static void map_strip_avx2(struct strip *strip, size_t width, uint32_t slack) {
  extend_runs(strip, width, slack);
  end_runs(strip, width, slack);
}

static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define map_strip_avx2 map_strip
static int has_avx2(void) { return 0; }
#endif

// The pixels of a row, the bins of their colours, and masks of the visible ones.
struct row_words {
  uint32_t pixels[SPAN], bins[SPAN], visible[SPAN];
};

static inline uint32_t color_word(const uint8_t *color) {
  return (uint32_t)color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16;
}

static void read_row(struct row_words *row, const uint8_t *pixels, size_t width, uint8_t least_alpha) {
  for (size_t i = 0; i < width; i++) {
    uint32_t word;
    memcpy(&word, pixels + 4 * i, 4);
    row->pixels[i] = word;
    row->bins[i] = (word & 0xFC) << 10 | (word & 0xFC00) >> 4 | (word & 0xFC0000) >> 18;
    row->visible[i] = word >> TOP >= least_alpha ? UINT32_MAX : 0;
  }
}

struct lookup {
  const uint8_t *table;
  // By index: the colour and the index; 0 for index 0.
  uint32_t entries[256];
};

static void load_lane(struct strip *strip, size_t lane, const struct row_words *row, size_t width, int is_westward,
                      const struct lookup *lookup) {
  const ptrdiff_t step = is_westward ? -1 : 1;
  ptrdiff_t from = is_westward ? (ptrdiff_t)width - 1 : 0;
  uint32_t *pixels = (uint32_t *)strip->pixels + lane, *nearest = (uint32_t *)strip->nearest + lane;
  for (size_t i = 0; i < width; i++, from += step) {
    pixels[i * LANES] = row->pixels[from];
    nearest[i * LANES] = lookup->entries[lookup->table[row->bins[from]]] & row->visible[from];
  }
}

static void store_lane(const struct strip *strip, size_t lane, uint8_t *indexes, size_t width, int is_westward,
                       uint8_t *used) {
  const ptrdiff_t step = is_westward ? -1 : 1;
  uint8_t *index = is_westward ? indexes + width - 1 : indexes;
  const uint32_t *chosen = (const uint32_t *)strip->chosen + lane;
  for (size_t i = 0; i < width; i++, index += step) {
    *index = (uint8_t)(chosen[i * LANES] >> TOP);
    used[*index] = 1;
  }
}

void chartpipe_map_colors(const uint8_t *pixels, size_t width, size_t height, uint8_t least_alpha,
                          const uint8_t *table, const uint8_t *colors, size_t color_count, uint32_t slack,
                          uint8_t *indexes, uint8_t *used) {
  struct lookup lookup = {.table = table};
  for (size_t i = 0; i < color_count; i++) lookup.entries[i + 1] = color_word(colors + 3 * i) | (uint32_t)(i + 1) << TOP;
  void (*const map)(struct strip *, size_t, uint32_t) = has_avx2() ? map_strip_avx2 : map_strip;
  struct strip strip = {0};
  struct row_words words;
  for (size_t row = 0; row < height; row += LANES) {
    const size_t rows = height - row < LANES ? height - row : LANES;
    for (size_t column = 0; column < width; column += SPAN) {
      const size_t count = width - column < SPAN ? width - column : SPAN, place = row * width + column;
      for (size_t lane = 0; lane < rows; lane++) {
        read_row(&words, pixels + 4 * (place + lane * width), count, least_alpha);
        load_lane(&strip, lane, &words, count, lane % 2 != 0, &lookup);
      }
      // No pixel follows the last one.
      strip.pixels[count] = ~strip.pixels[count - 1];
      map(&strip, count, slack);
      for (size_t lane = 0; lane < rows; lane++) {
        store_lane(&strip, lane, indexes + place + lane * width, count, lane % 2 != 0, used);
      }
    }
  }
}
