#include "darrow/log_paths.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace darrow {
namespace {

namespace fs = std::filesystem;

/// Of a directory only what its name says is a log: no pipes, whose reading would not end; links that lead nowhere are told.
bool is_log(const fs::directory_entry& entry, bool every_file) {
  auto extension = entry.path().extension();
  std::error_code error;
  bool is_file = entry.is_regular_file(error) || (entry.is_symlink(error) && !entry.exists(error));
  return is_file && (every_file || extension == ".darshan" || extension == ".darshan_partial");
}

class Walk {
 public:
  Walk(const std::function<bool(const std::string&)>& each, const std::function<void(const Error&)>& failed,
       bool every_file)
      : each_(each), failed_(failed), every_file_(every_file) {}

  /// False once there shall be no more.
  bool argument(const std::string& text, bool in_list = false) {
    std::error_code error;
    if (text == "-") return each_(text);
    if (!in_list && text.starts_with('@') && !fs::exists(text, error)) return list(text.substr(1));
    auto status = fs::status(text, error);
    if (fs::is_directory(status)) return top_directory(text);
    if (!fs::exists(status) && text.find_first_of("*?[") != text.npos) return matches(text);
    return each_(text);
  }

 private:
  void fail(const std::string& file, std::string message) {
    failed_({.code = ErrorCode::io, .message = std::move(message), .file = file, .region = {}, .offset = {}});
  }

  bool top_directory(const std::string& path) {
    found_ = false;
    bool go_on = directory(path);
    if (!found_) fail(path, "no log (*.darshan) below this directory");
    return go_on;
  }

  bool directory(const fs::path& path) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    fs::directory_iterator at(path, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) entries.push_back(*at);
    if (error) fail(path.string(), fmt::format("the directory cannot be read: {}", error.message()));
    found_ |= static_cast<bool>(error);
    std::sort(entries.begin(), entries.end());
    for (const auto& entry : entries) {
      // Links to directories are not followed: they may lead in circles.
      bool below = entry.is_directory(error) && !entry.is_symlink(error);
      if (below && !directory(entry.path())) return false;
      if (below || !is_log(entry, every_file_)) continue;
      found_ = true;
      if (!each_(entry.path().string())) return false;
    }
    return true;
  }

  bool matches(const std::string& pattern) {
    glob_t found{};
    int status = ::glob(pattern.c_str(), GLOB_BRACE, nullptr, &found);
    std::vector<std::string> paths;
    if (status == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    if (paths.empty()) return each_(pattern);  // which tells that there is no such file
    return std::ranges::all_of(paths, [&](const std::string& path) {
      std::error_code error;
      return fs::is_directory(path, error) ? top_directory(path) : each_(path);
    });
  }

  bool list(const std::string& path) {
    std::ifstream file;
    if (path != "-") file.open(path);
    std::istream& lines = path == "-" ? std::cin : file;
    std::error_code error;
    if (!lines || fs::is_directory(path, error)) {
      fail("@" + path, "the list of logs cannot be read");
      return true;
    }
    bool any = false;
    for (std::string line; std::getline(lines, line);) {
      while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
      if (line.empty()) continue;
      any = true;
      if (!argument(line, true)) return false;
    }
    if (lines.bad()) fail("@" + path, "the list of logs cannot be read to its end");
    else if (!any) fail("@" + path, "no log in this list");
    return true;
  }

  bool found_ = false;  ///< something below the directory of an argument
  const std::function<bool(const std::string&)>& each_;
  const std::function<void(const Error&)>& failed_;
  bool every_file_;
};

}  // namespace

void each_log_path(const std::vector<std::string>& arguments, const std::function<bool(const std::string&)>& each,
                   const std::function<void(const Error&)>& failed, bool every_file) {
  Walk walk(each, failed, every_file);
  for (const auto& argument : arguments)
    if (!walk.argument(argument)) return;
}

}  // namespace darrow
