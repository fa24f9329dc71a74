// What Swift sees of PROJ: which database of projections it reads. Projecting is GDAL's.
#ifndef CHARTPIPE_CPROJ_SHIM_H
#define CHARTPIPE_CPROJ_SHIM_H

#include <proj.h>

#endif
