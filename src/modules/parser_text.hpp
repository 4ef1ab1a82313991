/// What darshan-parser's text tells of a module beyond its counters: names of lines that are no counters, their order, the
/// last columns of a line, and the comment in front of the records.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "darrow/module.hpp"

namespace darrow {

/// A line of a record that is no counter of the module's table.
struct ParserLine {
  /// How the value is written.
  enum class Show : std::uint8_t {
    plain,       ///< a number, or text as it is
    text,        ///< text; empty: N/A
    pattern,     ///< the placement of Lustre stripes in words
    flags,       ///< the states of a Lustre component in words
    memory,      ///< the memory mode of Xeon Phi nodes in words
    cluster,     ///< their cluster mode
    consistent,  ///< 1 if all nodes have that mode
  };
  std::string_view name;    ///< in the line; of list elements what stands before their number
  std::string_view column;  ///< of the module's table
  Show show = Show::plain;
  bool if_synced = false;       ///< only if the header record says that there are synchronisation times
  std::string_view count = {};  ///< of a list: the counter that tells how many of its elements have a line; empty: all
};

/// The lines of Lustre components, each between the same start and its own end: LUSTRE_COMP, number, _STRIPE_SIZE.
struct ParserComponents {
  std::string_view column;      ///< list of components
  std::string_view count;       ///< line with their number
  std::string_view list_count;  ///< line with the number of elements of all their lists
  std::string_view start;       ///< of each name
  std::span<const ParserLine> parts;
  ParserLine list;  ///< of each component, one line an element
};

/// A paragraph of the comment that is there for some versions only. A blank line goes before it.
struct ParserCaveat {
  std::uint8_t first, last;  ///< versions
  std::span<const std::string_view> lines;
};

struct ParserText {
  /// What the last two columns of a line are.
  enum class Place : std::uint8_t {
    mount,       ///< mount point and type of the file system
    pool,        ///< DAOS pool and container
    known_pool,  ///< the same, if both are known
    none,        ///< nothing; nor is there a name
  };
  const Module* module = nullptr;
  Place place = Place::mount;
  std::string_view nameless = "(null)";            ///< the name of records that have none
  std::span<const std::string_view> name_of = {};  ///< columns that make the name, with a point between them
  std::span<const std::string_view> pool_of = {};  ///< columns of pool and container
  std::span<const ParserLine> before = {};         ///< lines before the counters
  std::span<const ParserLine> behind = {};         ///< lines behind them
  std::span<const ParserLine> lists = {};          ///< then a line for each element of these
  const ParserComponents* components = nullptr;
  std::span<const ParserLine> header = {};       ///< lines of the record that opens the region
  std::string_view synced = {};                  ///< end of the names of counters that are only there if_synced
  std::string_view sync_flag = {};               ///< field of the header record that tells
  bool is_heatmap = false;                       ///< darshan-util makes records as long as the first one (A4)
  bool file_list = false;                        ///< whether there were lists of files up to release 3.4.0
  bool optional = false;                         ///< only in builds of darshan-util with AutoPerf
  std::span<const std::string_view> about = {};  ///< the comment
  std::span<const ParserCaveat> caveats = {};
};

/// REQUIRES: a module of the registry.
const ParserText& parser_text(const Module& module);

/// Values as darshan-parser words them.
std::string_view stripe_pattern_word(std::int64_t pattern);
/// Name of the state that a bit of a Lustre component's flags stands for, or empty.
std::string_view component_state(int bit);
std::string_view memory_mode_word(std::int64_t mode);
std::string_view cluster_mode_word(std::int64_t mode);

}  // namespace darrow
