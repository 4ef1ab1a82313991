/// The modules of a log summed up, each as one row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "darrow/summary.hpp"

namespace darrow {

/// The rows of Summary::layers while they are made.
struct LayerRows {
  std::vector<std::string> labels;
  std::vector<Facts> facts;
  std::vector<std::optional<bool>> partial, damaged;

  void add(const std::string& label, Facts of_layer, bool is_partial, bool is_damaged);
  Table table() const;
};

/// Sums up what batches of modules' tables tell, for whoever reads these anyway.
class LayerSums {
 public:
  /// The log has to outlive it.
  explicit LayerSums(const Log& log) : log_(log) {}

  /// Whether the module has a row.
  static bool has(const ModuleInfo& info);
  /// Begins a module, which was not summed up yet; what was not ended is forgotten. REQUIRES: has(info).
  void begin(const ModuleInfo& info);
  /// Adds records of it, which have all columns or those of Activity::columns(). Error: strict: corrupt (names).
  std::optional<Error> add(const Table& batch);
  /// All records were added.
  void end();
  /// Reads all modules that are not there yet. Errors: those of Log::scan().
  std::optional<Error> read_rest();
  /// The rows, by ascending id.
  Table table() const;

 private:
  struct Layer {
    const ModuleInfo* info;
    Facts facts;
    bool is_damaged;
  };
  const Log& log_;
  std::shared_ptr<const NamePlaces> names_;  ///< from the first record on: who reads records may have read them
  const ModuleInfo* info_ = nullptr;         ///< the one that was begun
  std::optional<Activity> activity_;
  bool is_empty_ = true;  ///< no records of it were added yet
  std::vector<Layer> layers_;
};

}  // namespace darrow
