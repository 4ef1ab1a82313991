/// A file that nobody sees before it is complete.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "darrow/result.hpp"
#include "format/descriptor.hpp"
#include "format/temporary_name.hpp"

namespace darrow {

/// A new file. It has no name, or a hidden one where the system wants one, until commit(); without that nothing stays.
/// All errors are of kind io.
class OutputFile {
 public:
  /// Begins a file. Links are followed, also into nothing. What is there and no regular file (a device, a pipe) is written
  /// directly. `nameless`: false takes a hidden name, though the system can do without.
  /// Errors: EEXIST (a file is there and `overwrite` was not asked for), EISDIR and what the system says.
  static Result<OutputFile> create(const std::filesystem::path& path, bool overwrite, bool nameless = true);

  /// Appends bytes.
  std::optional<Error> write(std::span<const std::byte> bytes);
  /// Puts the file on the disk and in its place, at one blow. Once only.
  /// Errors: EEXIST (a file has come to be there meanwhile) and what the system says.
  std::optional<Error> commit();

 private:
  OutputFile(std::string path, bool overwrite) : path_(std::move(path)), overwrite_(overwrite) {}
  /// Both return false with errno.
  bool open_in_folder(bool nameless);
  bool put_in_place();

  std::string path_;  ///< as given, for errors
  bool overwrite_;
  Descriptor folder_;  ///< none: written directly
  std::string name_;   ///< in the folder
  Descriptor file_;
  TemporaryName temporary_;
};

}  // namespace darrow
