#include "group/keys.hpp"

namespace darrow {

std::unique_ptr<Key> make_key(const GroupKey& key, bool several_depths, const OfLog& log) {
  using Kind = GroupKey::Kind;
  switch (key.kind) {
    case Kind::file: return make_file_key(log);
    case Kind::rank: return make_column_key("rank");
    case Kind::mount: return make_text_key("mount");
    case Kind::fs: return make_text_key("fs_type");
    case Kind::dir:
    case Kind::ext: return make_name_part_key(key, several_depths, log);
    case Kind::job:
    case Kind::exe:
    case Kind::uid:
    case Kind::day: return make_job_key(key.kind, log);
    case Kind::host: return make_host_key(log);
    case Kind::pattern:  // see make_pattern_key()
    case Kind::column: break;
  }
  return make_column_key(key.column);
}

}  // namespace darrow
