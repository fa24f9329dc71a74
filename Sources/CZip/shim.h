// What Swift sees of libzip.
#ifndef CHARTPIPE_CZIP_SHIM_H
#define CHARTPIPE_CZIP_SHIM_H

#include <zip.h>

#endif
