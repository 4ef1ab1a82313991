#include "darrow/hosts.hpp"

#include <algorithm>

namespace darrow {

std::optional<std::string_view> Hosts::of(std::int64_t rank, std::int64_t nprocs) const {
  if (auto known = of_rank_.find(rank); known != of_rank_.end()) return known->second;
  if (of_job_) return *of_job_;
  if (rank != -1 || of_rank_.empty() || nprocs < 1 || of_rank_.size() < static_cast<std::size_t>(nprocs)) return {};
  const std::string& first = of_rank_.begin()->second;
  bool same = std::ranges::all_of(of_rank_, [&](const auto& of) { return of.second == first; });
  return same ? std::optional<std::string_view>(first) : std::nullopt;
}

}  // namespace darrow
