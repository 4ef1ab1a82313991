/// The hashes by which Darshan identifies and obfuscates names.
#pragma once

#include <cstdint>
#include <string_view>

namespace darrow {

/// The record id of a name: what the run time makes of the absolute path of a file, of "file:dataset", or of a special name
/// such as "<STDOUT>". (Files and objects of DAOS have ids of another origin.)
std::uint64_t record_id(std::string_view name);

/// What darshan-convert puts in the place of something it obfuscates: 32 bits that depend on `key`.
std::uint32_t obfuscated(std::string_view bytes, std::uint32_t key);

}  // namespace darrow
