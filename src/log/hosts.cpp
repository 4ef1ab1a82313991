// Which nodes the ranks ran on: traces and MPI records name them, maybe the job's metadata.
#include "log/state.hpp"

namespace darrow {

Result<Hosts> Log::hosts() const {
  std::optional<std::string> of_job;
  for (std::string_view wanted : {"host", "hostname"})
    if (const Job* job = this->job())
      for (const auto& [key, value] : job->metadata)
        if (key == wanted) of_job = value;
  Hosts hosts(std::move(of_job));
  for (const auto& info : modules()) {
    if (info.status != ModuleStatus::readable || info.length == 0) continue;
    const Field* node = find_role(info.module->fields, Role::node);
    if (!node) continue;
    TableOptions options;
    options.part = TableOptions::Part::records;
    options.columns = {"rank", std::string(node->label())};
    auto rows = scan(info.name, options, [&](const Table& batch) {
      auto ranks = batch.find("rank")->values<std::int64_t>();
      const Column& nodes = *batch.find(node->label());
      for (std::size_t r = 0; r < ranks.size(); ++r)
        if (auto row = static_cast<std::int64_t>(r); nodes.valid(row)) hosts.add(ranks[r], nodes.text(row));
    });
    if (!rows) return rows.error();
  }
  return hosts;
}

}  // namespace darrow
