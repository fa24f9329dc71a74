// What Swift sees of the C library's memory: malloc.h is in no module of its own.
#ifndef CHARTPIPE_CMEMORY_SHIM_H
#define CHARTPIPE_CMEMORY_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Gives back to the system what was freed; only glibc keeps much of it.
static inline void chartpipe_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

#endif
