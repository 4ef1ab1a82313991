/// What `darrow info` tells of a log.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "darrow/log.hpp"
#include "render/sink.hpp"
#include "render/text_table.hpp"

namespace darrow::cli {

/// Everything there is to tell of one log.
struct Info {
  std::string file;
  std::shared_ptr<const Log> log;
  std::vector<std::optional<std::int64_t>> records = {};  ///< of each of log->modules(); none if they cannot be decoded
  std::optional<std::int64_t> names = {};                 ///< none if they cannot be read
  std::vector<std::int64_t> names_on_mount = {};          ///< of each of log->mounts()
  std::vector<Problem> problems = {};                     ///< of the whole log
};

/// For people.
void info_text(const Info& info, render::Sink& sink, const render::Look& look);

}  // namespace darrow::cli
