// The parts of PROJ for Swift: the database of projections that it reads. GDAL projects the points.
#ifndef CHARTPIPE_CPROJ_SHIM_H
#define CHARTPIPE_CPROJ_SHIM_H

#include <proj.h>

#endif
