// The same sums with vector instructions. Integers can be added in any order, so the first pass may go
// down the columns as in plain C, or be split into pieces of any width.
#include "warp_span.h"

#define INLINE static inline __attribute__((always_inline))

#if defined(__SSE2__)
#include <immintrin.h>

INLINE __m128i load(const int16_t *pixels) { return _mm_loadu_si128((const __m128i *)pixels); }

// Two columns of 32-bit sums, reduced to 16 bits and paired channel by channel.
INLINE __m128i paired(__m128i left, __m128i right) {
  const __m128i low = _mm_srli_epi32(_mm_slli_epi32(left, 16 - FIRST_SHIFT), 16);
  const __m128i high = _mm_and_si128(_mm_slli_epi32(right, 16 - FIRST_SHIFT), _mm_set1_epi32((int)0xFFFF0000));
  return _mm_or_si128(low, high);
}

// The contribution of two columns to a pixel.
INLINE __m128i two_columns(const int16_t *tap, ptrdiff_t row, const int16_t *across, const int16_t *down, int taps) {
  __m128i left = _mm_set1_epi32(FIRST_HALF), right = left;
  for (int line = 0; line < taps; line += 2, tap += 2 * row) {
    const __m128i upper = load(tap), lower = load(tap + row), weights = _mm_set1_epi32(weight_pair(down + line));
    left = _mm_add_epi32(left, _mm_madd_epi16(_mm_unpacklo_epi16(upper, lower), weights));
    right = _mm_add_epi32(right, _mm_madd_epi16(_mm_unpackhi_epi16(upper, lower), weights));
  }
  return _mm_madd_epi16(paired(left, right), _mm_set1_epi32(weight_pair(across)));
}

INLINE uint32_t settled(__m128i sums) {
  if (__builtin_expect(_mm_cvtsi128_si32(_mm_shuffle_epi32(sums, 0xFF)) == OPAQUE_SUM, 1)) {
    const __m128i words = _mm_packs_epi32(_mm_srai_epi32(sums, SUM_SHIFT), _mm_setzero_si128());
    return (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(words, words));
  }
  int32_t all[4];
  _mm_storeu_si128((__m128i *)all, sums);
  return chartpipe_settle(all);
}

INLINE uint32_t sse2_pixel(const int16_t *tap, ptrdiff_t row, const int16_t *across, const int16_t *down, int taps) {
  __m128i sums = _mm_set1_epi32(SUM_HALF);
  for (int column = 0; column < taps; column += 2) {
    sums = _mm_add_epi32(sums, two_columns(tap + 4 * column, row, across + column, down, taps));
  }
  return settled(sums);
}

DEFINE_SPAN_WARPER(chartpipe_span_baseline, , sse2_pixel)
int chartpipe_has_baseline(void) { return 1; }

#define AVX2 __attribute__((target("avx2")))

// The contribution of four columns to a pixel. The first and third column are summed in the halves of one register, the second
// and fourth in those of another. Paired, the lower half has the first two columns and the upper half the others.
INLINE AVX2 __m128i four_columns(const int16_t *tap, ptrdiff_t row, const int16_t *across, const int16_t *down,
                                 int taps) {
  __m256i left = _mm256_set1_epi32(FIRST_HALF), right = left;
  for (int line = 0; line < taps; line += 2, tap += 2 * row) {
    const __m256i upper = _mm256_loadu_si256((const __m256i *)tap);
    const __m256i lower = _mm256_loadu_si256((const __m256i *)(tap + row));
    const __m256i weights = _mm256_set1_epi32(weight_pair(down + line));
    left = _mm256_add_epi32(left, _mm256_madd_epi16(_mm256_unpacklo_epi16(upper, lower), weights));
    right = _mm256_add_epi32(right, _mm256_madd_epi16(_mm256_unpackhi_epi16(upper, lower), weights));
  }
  const __m256i pairs = _mm256_blend_epi16(_mm256_srli_epi32(left, FIRST_SHIFT),
                                           _mm256_slli_epi32(right, 16 - FIRST_SHIFT), 0xAA);
  const __m256i weights = _mm256_setr_m128i(_mm_set1_epi32(weight_pair(across)), _mm_set1_epi32(weight_pair(across + 2)));
  const __m256i sums = _mm256_madd_epi16(pairs, weights);
  return _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

INLINE AVX2 uint32_t avx2_pixel(const int16_t *tap, ptrdiff_t row, const int16_t *across, const int16_t *down,
                                int taps) {
  __m128i sums = _mm_set1_epi32(SUM_HALF);
  int column = 0;
  for (; column + 4 <= taps; column += 4) {
    sums = _mm_add_epi32(sums, four_columns(tap + 4 * column, row, across + column, down, taps));
  }
  if (column < taps) sums = _mm_add_epi32(sums, two_columns(tap + 4 * column, row, across + column, down, taps));
  return settled(sums);
}

DEFINE_SPAN_WARPER(chartpipe_span_fastest, AVX2, avx2_pixel)
int chartpipe_has_fastest(void) { return __builtin_cpu_supports("avx2"); }

#elif defined(__aarch64__)
#include <arm_neon.h>

// The contribution of two columns to a pixel.
INLINE int32x4_t two_columns(int32x4_t sums, const int16_t *tap, ptrdiff_t row, const int16_t *across,
                             const int16_t *down, int taps) {
  int32x4_t left = vdupq_n_s32(0), right = left;
  for (int line = 0; line < taps; line++, tap += row) {
    const int16x8_t pixels = vld1q_s16(tap);
    left = vmlal_n_s16(left, vget_low_s16(pixels), down[line]);
    right = vmlal_n_s16(right, vget_high_s16(pixels), down[line]);
  }
  sums = vmlal_n_s16(sums, vrshrn_n_s32(left, FIRST_SHIFT), across[0]);
  return vmlal_n_s16(sums, vrshrn_n_s32(right, FIRST_SHIFT), across[1]);
}

INLINE uint32_t neon_pixel(const int16_t *tap, ptrdiff_t row, const int16_t *across, const int16_t *down, int taps) {
  int32x4_t sums = vdupq_n_s32(SUM_HALF);
  for (int column = 0; column < taps; column += 2) {
    sums = two_columns(sums, tap + 4 * column, row, across + column, down, taps);
  }
  if (__builtin_expect(vgetq_lane_s32(sums, 3) == OPAQUE_SUM, 1)) {
    const int16x4_t words = vqmovn_s32(vshrq_n_s32(sums, SUM_SHIFT));
    return vget_lane_u32(vreinterpret_u32_u8(vqmovun_s16(vcombine_s16(words, words))), 0);
  }
  int32_t all[4];
  vst1q_s32(all, sums);
  return chartpipe_settle(all);
}

DEFINE_SPAN_WARPER(chartpipe_span_baseline, , neon_pixel)
int chartpipe_has_baseline(void) { return 1; }
uint32_t chartpipe_span_fastest(const struct chartpipe_warp *job, struct span span, uint8_t *out) {
  return chartpipe_span_baseline(job, span, out);
}
int chartpipe_has_fastest(void) { return 0; }

#else

uint32_t chartpipe_span_baseline(const struct chartpipe_warp *job, struct span span, uint8_t *out) {
  (void)job, (void)span, (void)out;
  return 0;
}
uint32_t chartpipe_span_fastest(const struct chartpipe_warp *job, struct span span, uint8_t *out) {
  (void)job, (void)span, (void)out;
  return 0;
}
int chartpipe_has_baseline(void) { return 0; }
int chartpipe_has_fastest(void) { return 0; }

#endif
