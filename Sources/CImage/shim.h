// What Swift sees of libpng.
#ifndef CHARTPIPE_CIMAGE_SHIM_H
#define CHARTPIPE_CIMAGE_SHIM_H

#include <png.h>

#endif
