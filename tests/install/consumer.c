/* A C99 program that uses the installed library: counts the rows of a module. */
#include <darrow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  char message[256];
  darrow_log* log;
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  if (argc != 3) return 2;
  if (darrow_open("no such file", 1, &log, message, sizeof message) != DARROW_IO || !strstr(message, "no such file")) return 3;
  if (darrow_open(argv[1], 1, &log, message, sizeof message) != DARROW_OK) {
    fprintf(stderr, "%s\n", message);
    return 4;
  }
  if (strcmp(darrow_module_name(log, 0), "POSIX") != 0 || darrow_module_name(log, darrow_module_count(log))) return 5;
  if (darrow_table(log, "NOPE", 0, &stream, message, sizeof message) != DARROW_NOT_FOUND) return 6;
  if (darrow_table(log, "posix", 0, &stream, message, sizeof message) != DARROW_OK) return 7;
  darrow_close(log);
  if (stream.get_next(&stream, &batch) != 0) return 8;
  printf("darrow %s: %lld rows\n", darrow_version(), (long long)batch.length);
  {
    int ok = batch.length == strtoll(argv[2], NULL, 10);
    batch.release(&batch);
    stream.release(&stream);
    return ok ? 0 : 9;
  }
}
