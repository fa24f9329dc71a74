// The inner loops over pixels: the one place where C is written because it is faster. Everything here works on whole
// numbers, so that every processor gives the same bytes; nothing allocates, and nothing knows what a chart is.
#ifndef CHARTPIPE_PIXELS_H
#define CHARTPIPE_PIXELS_H

#include <stddef.h>
#include <stdint.h>

// Half the size, each pixel the mean of four with its colours weighted by their alphas, rounded to the nearest. Where
// anything is to be seen, something stays to be seen. Pixels are RGBA; strides are in bytes.
void chartpipe_halve(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride,
                     size_t target_width, size_t target_height);

#endif
