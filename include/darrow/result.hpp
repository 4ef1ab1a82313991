/// Errors as values: Result<T> holds a value or an Error, with the names of std::expected.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace darrow {

/// What kind of failure an Error is.
enum class ErrorCode : std::uint8_t {
  io,                       ///< the file could not be read (see system_error for errno)
  not_a_log,                ///< empty, or no Darshan log
  truncated,                ///< shorter than its own header
  unfinished,               ///< the header is all zeros: the process died while the log was written
  unsupported_version,      ///< a log format or module version that this library does not know
  unsupported_compression,  ///< a compression type that does not exist or was not built in
  corrupt,                  ///< data is damaged (strict mode, or nothing could be salvaged)
  not_found,                ///< no such module, table or column in this log
  invalid_argument,         ///< the caller asked for something that has no meaning
  out_of_memory,            ///< the data needs more memory than there is, or than a column can hold
};
std::string_view to_string(ErrorCode);

/// One failure, in one line: which file, which region, at which byte, what was expected and found.
struct Error {
  ErrorCode code = ErrorCode::corrupt;
  std::string message;                  ///< what, without the file and the region
  std::string file;                     ///< may be empty
  std::string region;                   ///< "header", "job", "names", a module's name, or empty
  std::optional<std::uint64_t> offset;  ///< where, if there is one place
  bool inflated = false;                ///< `offset` counts inflated bytes of the region, not bytes of the file
  int system_error = 0;                 ///< errno of an io error, else 0

  /// "FILE: message (region, byte offset)".
  std::string describe() const;
};

/// Thrown by Result::value() only.
class ErrorException : public std::runtime_error {
 public:
  explicit ErrorException(Error e) : std::runtime_error(e.describe()), error(std::move(e)) {}
  Error error;
};

/// A value of type T or an Error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  /// The value; throws ErrorException if there is none.
  T& value() & {
    require();
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    require();
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    require();
    return std::move(*std::get_if<0>(&state_));
  }
  /// The value. REQUIRES: has_value().
  T& operator*() { return *std::get_if<0>(&state_); }
  const T& operator*() const { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  /// The error. REQUIRES: !has_value().
  const Error& error() const { return *std::get_if<1>(&state_); }
  Error& error() { return *std::get_if<1>(&state_); }

 private:
  void require() const {
    if (!has_value()) throw ErrorException(error());
  }
  std::variant<T, Error> state_;
};

}  // namespace darrow
