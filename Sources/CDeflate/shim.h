// The parts of libdeflate for Swift: it writes zlib streams several times faster than zlib.
#ifndef CHARTPIPE_CDEFLATE_SHIM_H
#define CHARTPIPE_CDEFLATE_SHIM_H

#include <libdeflate.h>

#endif
