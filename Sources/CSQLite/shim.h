// The parts of SQLite for Swift. SQLITE_TRANSIENT is a cast of -1 to a function pointer, which the importer drops.
#ifndef CHARTPIPE_CSQLITE_SHIM_H
#define CHARTPIPE_CSQLITE_SHIM_H

#include <sqlite3.h>

static inline int chartpipe_bind_text(sqlite3_stmt *s, int i, const char *text, int length) {
  return sqlite3_bind_text(s, i, text, length, SQLITE_TRANSIENT);
}

// The text must stay in place until the statement has run. A null pointer would be NULL instead of empty text.
static inline int chartpipe_bind_borrowed_text(sqlite3_stmt *s, int i, const unsigned char *text, int length) {
  return sqlite3_bind_text(s, i, length == 0 ? "" : (const char *)text, length, SQLITE_STATIC);
}

static inline int chartpipe_bind_blob(sqlite3_stmt *s, int i, const void *bytes, sqlite3_uint64 length) {
  return length == 0 ? sqlite3_bind_zeroblob(s, i, 0)
                     : sqlite3_bind_blob64(s, i, bytes, length, SQLITE_TRANSIENT);
}

static inline void chartpipe_result_text(sqlite3_context *context, const char *text) {
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

// Views and triggers of an untrusted file may only call harmless functions, and cannot write internal tables. (The call takes
// variadic arguments, which Swift cannot pass.)
static inline void chartpipe_distrust_schema(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (void *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (void *)0);
}

// Memory statistics cost a lock around each of SQLite's many small allocations, and are not used.
static inline int chartpipe_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
