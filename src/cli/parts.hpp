/// Parts of machine-readable output that several commands write.
#pragma once

#include <span>
#include <string>

#include "darrow/log.hpp"
#include "render/csv.hpp"
#include "render/json.hpp"

namespace darrow::cli {

/// {"logs": [ … ]}: what stands between is one object a log.
void begin_logs(render::JsonWriter& json);
void end_logs(render::JsonWriter& json);
/// The object of a log that could not be read.
void json_failure(const std::string& file, const Error& error, render::JsonWriter& json);
/// An object, or null.
void json_job(const Job* job, render::JsonWriter& json);
void json_problems(std::span<const Problem> problems, render::JsonWriter& json);

/// The columns of a job: jobid, uid, nprocs, start, end, run_time, exe. Empty cells without a job.
inline constexpr std::size_t job_columns = 7;
void csv_job_header(render::CsvWriter& csv);
void csv_job(const Job* job, render::CsvWriter& csv);

}  // namespace darrow::cli
