/// Memory that cannot be had, as an error.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "darrow/result.hpp"

namespace darrow {

/// Runs `function`, which returns a Result; std::bad_alloc and std::length_error become the error out_of_memory of that file.
template <typename Function>
auto guarded(const std::string& file, Function function) -> decltype(function()) {
  auto failure = [&](std::string message) {
    return Error{
        .code = ErrorCode::out_of_memory, .message = std::move(message), .file = file, .region = {}, .offset = {}};
  };
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return failure("not enough memory");
  } catch (const std::length_error& e) {
    return failure(e.what());
  }
}

}  // namespace darrow
