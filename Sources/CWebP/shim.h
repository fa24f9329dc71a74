// The parts of libwebp for Swift.
#ifndef CHARTPIPE_CWEBP_SHIM_H
#define CHARTPIPE_CWEBP_SHIM_H

#include <webp/decode.h>
#include <webp/encode.h>

#endif
