// zlib for Swift. It is part of every system on which the client library runs, and unpacks gzip piece by piece.
#ifndef CHARTPIPE_CZLIB_SHIM_H
#define CHARTPIPE_CZLIB_SHIM_H

#include <zlib.h>

// A macro in zlib.h, which Swift does not see. 31: gzip with the largest window.
static inline int chartpipe_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 31); }

#endif
