// The parts of PROJ for Swift: the database of projections that it reads, and geodesics. GDAL projects the points.
#ifndef CHARTPIPE_CPROJ_SHIM_H
#define CHARTPIPE_CPROJ_SHIM_H

#include <geodesic.h>
#include <proj.h>

#endif
