// The parts of malloc.h for Swift, which is in no module.
#ifndef CHARTPIPE_CMEMORY_SHIM_H
#define CHARTPIPE_CMEMORY_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Returns freed memory to the system. Only glibc keeps much of it.
static inline void chartpipe_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

#endif
