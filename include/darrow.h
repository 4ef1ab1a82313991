/* Darrow's C interface: open a Darshan log, get its tables as Arrow streams. C99 and C++.
 *
 * Not here: anything that an Arrow reader can do with the tables.
 *
 * 1. Objects are opaque and freed by their own function; null is accepted there, and nowhere else unless said.
 * 2. A function that can fail returns a darrow_status; its results are set only if that is DARROW_OK.
 * 3. `message` takes one line that says what failed, cut to `message_size` bytes with its NUL; it may be null.
 * 4. Text is NUL-terminated. Text that a log owns lives as long as the log.
 * 5. A log may be used from several threads at once. Streams and arrays live on when the log is closed.
 */
#ifndef DARROW_H
#define DARROW_H

#include <stddef.h>
#include <stdint.h>

#include "darrow/arrow_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The values of darrow::ErrorCode, plus one; since 0.1. */
typedef enum darrow_status {
  DARROW_OK = 0,
  DARROW_IO = 1,
  DARROW_NOT_A_LOG = 2,
  DARROW_TRUNCATED = 3,
  DARROW_UNFINISHED = 4,
  DARROW_UNSUPPORTED_VERSION = 5,
  DARROW_UNSUPPORTED_COMPRESSION = 6,
  DARROW_CORRUPT = 7,
  DARROW_NOT_FOUND = 8,
  DARROW_INVALID_ARGUMENT = 9,
  DARROW_OUT_OF_MEMORY = 10
} darrow_status;

typedef struct darrow_log darrow_log;

/* The library's version, e.g. "0.1.0"; since 0.1. */
const char* darrow_version(void);

/* Opens a log. `strict` not 0: damage that loses something is an error; 0: what is intact is delivered; since 0.1. */
darrow_status darrow_open(const char* path, int strict, darrow_log** log, char* message, size_t message_size);

/* Closes a log; since 0.1. */
void darrow_close(darrow_log* log);

/* Modules with data or a partial flag, and their names ("POSIX", "module 40"); null behind the last; since 0.1. */
size_t darrow_module_count(const darrow_log* log);
const char* darrow_module_name(const darrow_log* log, size_t index);

/* A table: a module by name, or "job", "mounts", "modules", "names", "problems", as a stream of one batch that the caller
 * releases. `raw` not 0: stored values instead of nulls. Columns: docs/tables.md; since 0.1. */
darrow_status darrow_table(const darrow_log* log, const char* table, int raw, struct ArrowArrayStream* stream,
                           char* message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif /* DARROW_H */
