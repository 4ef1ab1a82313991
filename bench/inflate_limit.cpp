// What inflating alone costs: a fresh process, the log mapped, each region through libdeflate into fresh memory.
//
// usage: bench_inflate_limit LOG [--guess N] [REGION…]
//   REGION   "names" or the number of a module; none: the names and all modules
//   --guess  memory to begin with, as a multiple of the compressed size (8); too little inflates a stream again
//
// Prints JSON: compressed and inflated bytes, attempts that ran out of memory, CPU seconds of this process. Reads the
// logs that are measured, of format 3.41 in zlib; it is a yardstick and uses nothing of Darrow.
#include <fcntl.h>
#include <libdeflate.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

struct Region {
  std::uint64_t offset, length;
};

// The header of format 3.41: version text, 8 bytes magic, compression type, …, then the map of names and modules.
constexpr std::size_t header_bytes = 1328, names_at = 32, modules_at = 48, module_slots = 64;
constexpr std::size_t compression_at = 16, extra_bytes = 65536;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "bench_inflate_limit: %s\n", what);
  std::exit(2);
}

struct MappedLog {
  const unsigned char* data;
  std::size_t size;

  explicit MappedLog(const char* path) {
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) fail("cannot open the log");
    size = static_cast<std::size_t>(status.st_size);
    void* at = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (at == MAP_FAILED) fail("cannot map the log");
    data = static_cast<const unsigned char*>(at);
    if (size < header_bytes || std::memcmp(data, "3.41", 5) != 0 || data[compression_at] != 0)
      fail("only logs of format 3.41, compressed with zlib, are measured");
  }

  Region region(std::size_t at) const {
    Region r;
    std::memcpy(&r, data + at, sizeof r);
    if (r.offset > size || r.length > size - r.offset) fail("a region lies outside of the file");
    return r;
  }
  Region names() const { return region(names_at); }
  Region module(std::size_t id) const { return region(modules_at + id * sizeof(Region)); }
};

struct Inflater {
  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
  std::size_t guess = 8, inflated = 0, compressed = 0, retries = 0;

  /// A region is a chain of streams. The memory is kept: every region finds fresh pages.
  void run(const unsigned char* in, std::size_t length) {
    std::size_t capacity = length * guess + extra_bytes, used = 0, done = 0;
    auto* out = static_cast<unsigned char*>(std::malloc(capacity));
    while (out && done < length) {
      std::size_t taken = 0, given = 0;
      auto status = libdeflate_zlib_decompress_ex(decompressor, in + done, length - done, out + used, capacity - used,
                                                  &taken, &given);
      if (status == LIBDEFLATE_INSUFFICIENT_SPACE) {
        ++retries;
        out = static_cast<unsigned char*>(std::realloc(out, capacity *= 3));
        continue;
      }
      if (status != LIBDEFLATE_SUCCESS) fail("a stream is damaged");
      done += taken;
      used += given;
    }
    if (!out) fail("out of memory");
    inflated += used;
    compressed += length;
  }
};

/// A whole decimal number below `limit`.
std::size_t number(std::string_view text, std::size_t limit) {
  std::size_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value >= limit)
    fail("usage: bench_inflate_limit LOG [--guess N] [REGION…]; a region is \"names\" or a number from 0 to 63");
  return value;
}

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: bench_inflate_limit LOG [--guess N] [REGION…]");
  MappedLog log(argv[1]);
  Inflater inflater;
  std::vector<Region> regions;
  for (int i = 2; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--guess" && i + 1 < argc) inflater.guess = number(argv[++i], 1000);
    else if (argument == "names") regions.push_back(log.names());
    else regions.push_back(log.module(number(argument, module_slots)));
  }
  if (regions.empty()) {
    regions.push_back(log.names());
    for (std::size_t id = 0; id < module_slots; ++id) regions.push_back(log.module(id));
  }
  for (auto r : regions)
    if (r.length) inflater.run(log.data + r.offset, r.length);
  std::printf("{\"compressed\": %zu, \"inflated\": %zu, \"retries\": %zu, \"cpu\": %.6f}\n", inflater.compressed,
              inflater.inflated, inflater.retries, cpu_seconds());
}
