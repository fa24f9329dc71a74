// The parts of libzip for Swift.
#ifndef CHARTPIPE_CZIP_SHIM_H
#define CHARTPIPE_CZIP_SHIM_H

#include <zip.h>

#endif
