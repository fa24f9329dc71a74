// The parts of libzip for Swift.
#ifndef CHARTPIPE_CZIP_SHIM_H
#define CHARTPIPE_CZIP_SHIM_H

#include <time.h>
#include <zip.h>

// The day of a member's file, such as 20261029; 0 without one. Zip archives state local time, which libzip converts with the
// same time zone.
static inline int chartpipe_zip_day(const zip_stat_t *entry) {
    struct tm day;
    if (!(entry->valid & ZIP_STAT_MTIME) || !localtime_r(&entry->mtime, &day)) return 0;
    return (day.tm_year + 1900) * 10000 + (day.tm_mon + 1) * 100 + day.tm_mday;
}

#endif
