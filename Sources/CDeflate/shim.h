// What Swift sees of libdeflate: zlib streams several times faster than zlib writes them.
#ifndef CHARTPIPE_CDEFLATE_SHIM_H
#define CHARTPIPE_CDEFLATE_SHIM_H

#include <libdeflate.h>

#endif
