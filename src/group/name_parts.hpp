/// Parts of file names.
#pragma once

#include <optional>
#include <string_view>

namespace darrow {

/// The file of a dataset or variable: "a.h5" of "a.h5:/group/data", "a.nc" of "a.nc:data"; other names as they are.
std::string_view file_of(std::string_view name);
/// The directory to that many levels: "/a/b" of "/a/b/c/file" for 2, "/" of "/file", "a" of "a/file". Nothing for names without one.
std::optional<std::string_view> directory_of(std::string_view name, int depth);
/// What stands behind the last dot, but not of names that begin with it: "h5" of "/a/b.h5". Nothing if there is no dot, or nothing behind.
std::optional<std::string_view> extension_of(std::string_view name);

}  // namespace darrow
