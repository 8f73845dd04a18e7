#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/database/database.hpp>
#include <gdsim/infer/decision_masks.hpp>
#include <gdsim/store/shard.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace gdsim {

/// Identifies an inference.
struct InferenceIdentity {
  std::string program;  ///< name and version
  std::string content;  ///< a hash of the log, the device and its models, and the program
};

/// The decisions of each choice of cores that agree with a log, numbered by replay, then by choice.
using KnownDecisions = std::map<std::uint64_t, DecisionBits>;

/// The part of these decisions that one shard makes, in an SQLite file. Additions are stored at once, so that a killed
/// shard continues from them. Every row has a digest, and a file is read only if all match. Throws InputError if a file
/// has no such decisions, is of another inference or shard, or is damaged. Not thread-safe.
class DecisionStore {
 public:
  /// Opens or makes the file of a shard. There are `parts` choices in total, with `decisions` decisions each.
  DecisionStore(const std::filesystem::path& file, const InferenceIdentity& identity, const Shard& shard,
                std::uint64_t parts, std::uint64_t decisions);

  bool has(std::uint64_t part);
  void add(std::uint64_t part, const DecisionBits& right);

 private:
  Database database_;
};

/// Returns the decisions of all shards of an inference. Throws InputError if a file is of another inference, if two
/// files disagree, or if some decisions are missing; the message then lists the shards to be run.
KnownDecisions merge_decisions(std::span<const std::filesystem::path> files, const InferenceIdentity& identity,
                               std::uint64_t parts, std::uint64_t decisions);

}  // namespace gdsim
