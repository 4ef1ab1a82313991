#include "darrow/hosts.hpp"

namespace darrow {

std::optional<std::string_view> Hosts::of(std::int64_t rank, std::int64_t nprocs) const {
  auto of_job = of_job_ ? std::optional<std::string_view>(*of_job_) : std::nullopt;
  if (auto known = of_rank_.find(rank); known != of_rank_.end()) return known->second;
  if (rank != -1 || of_rank_.empty()) return of_job;
  // All ranks: on one node, if it is the node of each of them.
  std::optional<std::string_view> node;
  std::int64_t ranks = 0;
  for (const auto& [of, name] : of_rank_) {
    if (nprocs > 0 && of >= nprocs) continue;
    if (node && *node != name) return {};
    node = name;
    ++ranks;
  }
  return nprocs > 0 && ranks == nprocs ? node : std::nullopt;
}

}  // namespace darrow
