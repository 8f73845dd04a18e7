#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/database/database.hpp>
#include <gdsim/infer/decision_bits.hpp>
#include <gdsim/store/shard.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace gdsim {

/// What makes an inference the one that it is.
struct InferenceIdentity {
  std::string program;  ///< name and version
  std::string content;  ///< a hash of the log, the device and its models, and the program
};

/// Which decisions each choice of cores makes as a log has them, numbered by replay, then by choice.
using KnownDecisions = std::map<std::uint64_t, DecisionBits>;

/// Some of these decisions in an SQLite file: the part of one shard. What is added is kept at once, so that a shard
/// that was killed goes on where it was. Every row has a digest; a file is read only if all of it is what was written.
/// Throws InputError if a file is none of such decisions, of another inference or shard, or damaged. For one thread at
/// a time.
class DecisionStore {
 public:
  /// Opens or makes the file of a shard; `parts` is how many choices there are in all, `decisions` how many each makes.
  DecisionStore(const std::filesystem::path& file, const InferenceIdentity& identity, const Shard& shard,
                std::uint64_t parts, std::uint64_t decisions);

  bool has(std::uint64_t part);
  void add(std::uint64_t part, const DecisionBits& right);

 private:
  Database database_;
};

/// The decisions of all shards of an inference. Throws InputError if a file is of another one, if two files disagree,
/// or if some are missing: then with the shards to be run.
KnownDecisions merge_decisions(std::span<const std::filesystem::path> files, const InferenceIdentity& identity,
                               std::uint64_t parts, std::uint64_t decisions);

}  // namespace gdsim
