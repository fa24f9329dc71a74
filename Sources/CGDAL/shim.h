// The parts of GDAL for Swift. Only functions that the importer cannot translate are wrapped here.
#ifndef CHARTPIPE_CGDAL_SHIM_H
#define CHARTPIPE_CGDAL_SHIM_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <gdal_utils.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

// GDAL_OF_* are signed constants while GDALOpenEx takes an unsigned mask.
// A null list of drivers allows all.
static inline GDALDatasetH chartpipe_open_raster(const char *path, const char *const *drivers) {
  return GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL);
}

static inline GDALDatasetH chartpipe_open_vector(const char *path, const char *const *drivers) {
  return GDALOpenEx(path, GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL);
}

static inline void chartpipe_ignore_error(CPLErr level, CPLErrorNum number, const char *message) {
  (void)level; (void)number; (void)message;
}

// Errors are read from the thread's state after each call, so that nothing is printed.
// (CPLPushErrorHandler would cover only the calling thread.)
static inline void chartpipe_silence_errors(void) { CPLSetErrorHandler(chartpipe_ignore_error); }

#endif
