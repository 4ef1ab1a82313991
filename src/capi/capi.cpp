#include <algorithm>
#include <cstring>
#include <new>

#include "darrow.h"
#include "darrow/arrow.hpp"
#include "darrow/log.hpp"
#include "darrow/version.hpp"

struct darrow_log {
  std::shared_ptr<const darrow::Log> log;
};

namespace {

darrow_status fail(const darrow::Error& error, char* message, std::size_t size) {
  if (message && size) {
    std::string text = error.describe();
    std::size_t n = std::min(text.size(), size - 1);
    std::memcpy(message, text.data(), n);
    message[n] = '\0';
  }
  return static_cast<darrow_status>(static_cast<int>(error.code) + 1);
}

static_assert(static_cast<int>(darrow::ErrorCode::io) + 1 == DARROW_IO);
static_assert(static_cast<int>(darrow::ErrorCode::out_of_memory) + 1 == DARROW_OUT_OF_MEMORY);

/// Nothing is thrown through C. What the core throws is lack of memory.
template <typename Function>
darrow_status guarded(char* message, std::size_t size, Function function) {
  try {
    return function();
  } catch (const std::exception& e) {
    darrow::Error error;
    error.code = darrow::ErrorCode::out_of_memory;
    error.message = e.what();
    return fail(error, message, size);
  }
}

}  // namespace

extern "C" {

const char* darrow_version(void) { return darrow::version.data(); }

darrow_status darrow_open(const char* path, int strict, darrow_log** log, char* message, size_t message_size) {
  return guarded(message, message_size, [&] {
    darrow::OpenOptions options;
    options.strict = strict != 0;
    auto opened = darrow::Log::open(path, options);
    if (!opened) return fail(opened.error(), message, message_size);
    *log = new darrow_log{std::move(*opened)};
    return DARROW_OK;
  });
}

void darrow_close(darrow_log* log) { delete log; }

size_t darrow_module_count(const darrow_log* log) { return log->log->modules().size(); }

const char* darrow_module_name(const darrow_log* log, size_t index) {
  auto modules = log->log->modules();
  return index < modules.size() ? modules[index].name.c_str() : nullptr;
}

darrow_status darrow_table(const darrow_log* log, const char* table, int raw, ArrowArrayStream* stream, char* message,
                           size_t message_size) {
  return guarded(message, message_size, [&] {
    auto read = log->log->table(table);
    if (!read) return fail(read.error(), message, message_size);
    darrow::export_stream(std::move(*read), raw ? darrow::Nulls::raw : darrow::Nulls::arrow, stream);
    return DARROW_OK;
  });
}

}  // extern "C"
