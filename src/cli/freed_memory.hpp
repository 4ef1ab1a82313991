/// How the command keeps memory.
#pragma once

namespace darrow::cli {

/// Keeps what is freed for what comes next: fetching its pages anew would take longer than most of the work. Does nothing where the
/// system has no such choice.
void keep_freed_memory();

}  // namespace darrow::cli
