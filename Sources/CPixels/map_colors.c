#include "pixels.h"

#include <string.h>

// Vectors of 32 bytes are passed between functions of this file only.
#pragma GCC diagnostic ignored "-Wpsabi"

// A tile's stream of indexes takes few bytes where a run continues or where the indexes repeat those of the row above. So
// each pixel is a literal, part of a run, or part of a copy from above; and the cheapest way through a row is found, by squared
// errors and prices. The search passes from pixel to pixel. A row is cut into eight parts, one in each lane, without branches,
// which would be mispredicted at every other pixel. A lane is a colour, its red in the lowest byte, and above it the index or
// the alpha; or a cost.
#define INLINE static inline __attribute__((always_inline))

// The search of a part begins some pixels before it, since it must know whether a run or a copy comes from there.
enum { LANES = 8, SPAN = 256, PART = SPAN / LANES, LEAD = 4, REACH = LEAD + PART, TOP = 24 };
enum { NEVER = 1 << 28 };
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t signed_lanes __attribute__((vector_size(4 * LANES)));
typedef uint16_t halves __attribute__((vector_size(4 * LANES)));
typedef uint8_t bytes __attribute__((vector_size(LANES)));

// How a pixel gets its colour. Copies come from the row above: from the same column, the one before and the one after.
enum { LITERAL = 1, RUN = 2, COPY = 4, COPY_BEFORE = 8, COPY_AFTER = 16 };

// A row in the order in which it is searched, the row above it from one column earlier, and what the search has found for each
// pixel: the colour of a run, the ways that continue from the pixel before, and the best way.
struct strip {
  lanes pixels[REACH + 1], nearest[REACH], above[REACH + 2], run[REACH], continued[REACH], best[REACH], chosen[REACH];
};

// In squared levels. An error from the limit on is not allowed.
struct prices {
  uint32_t literal, run, copy, limit;
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

INLINE lanes choose(lanes mask, lanes a, lanes b) { return (mask & a) | (~mask & b); }

// The pixels before each part are the last ones of the part before it. Outside of the row, pixels differ from the first and the
// last one.
INLINE lanes from_west(lanes part, uint32_t first) {
  lanes moved = __builtin_shufflevector(part, part, 0, 0, 1, 2, 3, 4, 5, 6);
  moved[0] = first;
  return moved;
}

INLINE lanes from_east(lanes part, uint32_t last) {
  lanes moved = __builtin_shufflevector(part, part, 1, 2, 3, 4, 5, 6, 7, 7);
  moved[LANES - 1] = last;
  return moved;
}

INLINE void lead_in(struct strip *strip) {
  const uint32_t first = ~strip->pixels[LEAD][0], last = ~strip->pixels[REACH - 1][LANES - 1];
  const uint32_t nearest = strip->nearest[LEAD][0];
  for (size_t i = 0; i < LEAD; i++) {
    strip->pixels[i] = from_west(strip->pixels[PART + i], first);
    strip->nearest[i] = from_west(strip->nearest[PART + i], nearest);
  }
  strip->pixels[REACH] = from_east(strip->pixels[LEAD], last);
}

// One way of a pixel: the cost up to the pixel, and whether it continues from the pixel before.
struct way {
  lanes cost, continues;
};

INLINE struct way way_of(lanes cost, lanes start, lanes color, lanes pixel, lanes nearest, lanes limit) {
  const lanes continues = is_less(cost, start), error = apart(pixel, color);
  const lanes is_allowed = is_same(color, nearest) | (is_less(error, limit) & ~is_same(color, (lanes){0}));
  return (struct way){choose(is_allowed, choose(continues, cost, start) + error, (lanes){0} + NEVER), continues};
}

INLINE void take(struct way way, uint32_t number, lanes color, lanes *cost, lanes *best, lanes *best_color) {
  const lanes is_cheaper = is_less(way.cost, *cost);
  *cost = choose(is_cheaper, way.cost, *cost);
  *best = choose(is_cheaper, (lanes){0} + number, *best);
  *best_color = choose(is_cheaper, color, *best_color);
}

// A pixel that equals one of its neighbours may be part of a tint, which keeps its nearest colour. So does a transparent pixel.
INLINE void search(struct strip *strip, const struct prices *prices) {
  const lanes none = {0};
  lanes cost = none, color = none, run_color = none, was_same = none;
  struct way run = {none + NEVER, none}, copy = {none, none}, before = copy, after = copy;
  for (size_t i = 0; i < REACH; i++) {
    const lanes pixel = strip->pixels[i], nearest = strip->nearest[i];
    const lanes same = is_same(pixel, strip->pixels[i + 1]);
    const lanes limit = (none + prices->limit) & ~(same | was_same | is_same(nearest, none));
    const lanes start = cost + prices->copy;
    was_same = same;

    const lanes run_start = cost + prices->run;
    run_color = choose(is_less(run.cost, run_start), run_color, color);
    run = way_of(run.cost, run_start, run_color, pixel, nearest, limit);
    copy = way_of(copy.cost, start, strip->above[i + 1], pixel, nearest, limit);
    before = way_of(before.cost, start, strip->above[i], pixel, nearest, limit);
    after = way_of(after.cost, start, strip->above[i + 2], pixel, nearest, limit);
    strip->continued[i] =
        (run.continues & RUN) | (copy.continues & COPY) | (before.continues & COPY_BEFORE) | (after.continues & COPY_AFTER);
    strip->run[i] = run_color;

    lanes best = none + LITERAL;
    cost += prices->literal + apart(pixel, nearest);
    color = nearest;
    take(run, RUN, run_color, &cost, &best, &color);
    take(copy, COPY, strip->above[i + 1], &cost, &best, &color);
    take(before, COPY_BEFORE, strip->above[i], &cost, &best, &color);
    take(after, COPY_AFTER, strip->above[i + 2], &cost, &best, &color);
    strip->best[i] = best;
  }
}

// Follows the cheapest way back from the end of each part.
INLINE void trace(struct strip *strip) {
  lanes way = strip->best[REACH - 1];
  for (size_t i = REACH; i-- > LEAD;) {
    lanes color = choose(is_same(way, (lanes){0} + RUN), strip->run[i], strip->nearest[i]);
    color = choose(is_same(way, (lanes){0} + COPY), strip->above[i + 1], color);
    color = choose(is_same(way, (lanes){0} + COPY_BEFORE), strip->above[i], color);
    strip->chosen[i] = choose(is_same(way, (lanes){0} + COPY_AFTER), strip->above[i + 2], color);
    way = choose(is_same(strip->continued[i] & way, (lanes){0}), strip->best[i - 1], way);
  }
}

// The row becomes the one above the next row.
INLINE void move_up(struct strip *strip) {
  const uint32_t first = strip->nearest[LEAD][0], last = strip->nearest[REACH - 1][LANES - 1];
  for (size_t i = LEAD; i < REACH; i++) strip->above[i + 1] = strip->chosen[i];
  for (size_t i = 0; i <= LEAD; i++) strip->above[i] = from_west(strip->above[PART + i], first);
  strip->above[REACH + 1] = from_east(strip->above[LEAD + 1], last);
}

struct lookup {
  const uint8_t *table;
  uint32_t least_alpha;
  // By index: the colour and the index; 0 for index 0.
  uint32_t entries[256];
};

// Exchanges rows and columns: three times, the first half of all numbers is interleaved with the second one.
INLINE void transpose(lanes block[LANES]) {
  for (int round = 0; round < 3; round++) {
    lanes next[LANES];
    for (int i = 0; i < LANES / 2; i++) {
      next[2 * i] = __builtin_shufflevector(block[i], block[i + LANES / 2], 0, 8, 1, 9, 2, 10, 3, 11);
      next[2 * i + 1] = __builtin_shufflevector(block[i], block[i + LANES / 2], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    memcpy(block, next, sizeof next);
  }
}

INLINE void load(struct strip *strip, const uint8_t *row, const struct lookup *lookup) {
  lanes *nearest = strip->nearest + LEAD;
  for (size_t start = 0; start < PART; start += LANES) {
    lanes block[LANES];
    for (size_t lane = 0; lane < LANES; lane++) memcpy(block + lane, row + 4 * (lane * PART + start), sizeof(lanes));
    transpose(block);
    for (size_t i = 0; i < LANES; i++) {
      strip->pixels[LEAD + start + i] = block[i];
      nearest[start + i] = (block[i] & 0xFC) << 10 | (block[i] & 0xFC00) >> 4 | (block[i] & 0xFC0000) >> 18;
    }
  }
  uint32_t *bins = (uint32_t *)nearest;
  for (size_t i = 0; i < SPAN; i++) bins[i] = lookup->entries[lookup->table[bins[i]]];
  for (size_t i = 0; i < PART; i++) {
    nearest[i] &= ~is_less(strip->pixels[LEAD + i] >> TOP, (lanes){0} + lookup->least_alpha);
  }
}

INLINE void store(const struct strip *strip, uint8_t *indexes) {
  for (size_t start = 0; start < PART; start += LANES) {
    lanes block[LANES];
    for (size_t i = 0; i < LANES; i++) block[i] = strip->chosen[LEAD + start + i] >> TOP;
    transpose(block);
    for (size_t lane = 0; lane < LANES; lane++) {
      const bytes narrow = __builtin_convertvector(block[lane], bytes);
      memcpy(indexes + lane * PART + start, &narrow, sizeof narrow);
    }
  }
}

// Compiled for wider registers too: arithmetic on integers, so the result is the same.
#if defined(__x86_64__)
__attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
static void map_row(struct strip *strip, const struct prices *prices, const struct lookup *lookup, const uint8_t *row,
                    uint8_t *indexes) {
  load(strip, row, lookup);
  lead_in(strip);
  search(strip, prices);
  trace(strip);
  move_up(strip);
  store(strip, indexes);
}

// Continues a short row by pixels that differ from its last one.
static const uint8_t *continued(const uint8_t *row, size_t width, uint8_t whole[4 * SPAN]) {
  memcpy(whole, row, 4 * width);
  for (size_t i = 4 * width; i < 4 * SPAN; i++) whole[i] = (uint8_t)~row[4 * (width - 1) + i % 4];
  return whole;
}

void chartpipe_map_colors(const uint8_t *pixels, size_t width, size_t height, uint8_t least_alpha,
                          const uint8_t *table, const uint8_t *colors, size_t color_count, uint32_t slack,
                          uint8_t *indexes, uint8_t *used) {
  struct lookup lookup = {.table = table, .least_alpha = least_alpha};
  for (uint32_t i = 1; i <= color_count; i++, colors += 3) {
    lookup.entries[i] = colors[0] | (uint32_t)colors[1] << 8 | (uint32_t)colors[2] << 16 | i << TOP;
  }
  // Measured on a synthetic sheet and on real prints: the fewest bytes for the same error.
  const struct prices prices = {slack * 10 / 9, slack * 6 / 9, slack * 20 / 9, slack * 25 / 9};
  uint8_t padded[4 * SPAN], found[SPAN];
  for (size_t column = 0; column < width; column += SPAN) {
    const size_t count = width - column < SPAN ? width - column : SPAN;
    struct strip strip = {0};
    for (size_t start = column; start < width * height; start += width) {
      const uint8_t *row = count < SPAN ? continued(pixels + 4 * start, count, padded) : pixels + 4 * start;
      map_row(&strip, &prices, &lookup, row, found);
      memcpy(indexes + start, found, count);
    }
  }
  for (size_t i = 0; i < width * height; i++) used[indexes[i]] = 1;
}
