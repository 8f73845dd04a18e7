#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/database/database.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/infer/replay.hpp>
#include <gdsim/store/point_store.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// Probability 1 in sums of probabilities, of which each summand is rounded down to a whole number.
inline constexpr std::uint64_t kCertain = 1'000'000'000'000;

/// Decisions, and the expected result of a random choice among the cores with room.
struct ChanceLevel {
  std::uint64_t decisions = 0;
  UInt128 expected = 0;  ///< expected right ones, in 1 / kCertain

  void add(std::uint32_t candidates, bool fits) {
    ++decisions;
    if (fits) expected += kCertain / candidates;
  }
  /// Returns the expected share.
  Ratio share() const { return {expected, decisions == 0 ? 1 : UInt128{decisions} * kCertain}; }
};

/// Returns the evidence against chance, in bits, if `right` of the decisions are right: chance gives at least this
/// number of right ones with a probability of at most 2^-bits. Uses Chernoff's bound, which holds for decisions of
/// different probabilities, rounded down.
std::uint64_t bits_against_chance(const ChanceLevel& chance, std::uint64_t right);

/// Returns the number of bits that tell so many alternatives apart.
std::uint64_t bits_of_choice(std::uint64_t alternatives);

/// Returns true if the difference of two rules exceeds what chance gives in one of twenty cases. `more` decisions are
/// right by the first rule only, `less` by the second only.
bool are_distinguishable(std::uint64_t more, std::uint64_t less);

/// Returns true if the better of two rules, which share `both` right decisions, is right wherever the other one is and
/// in at least one more decision; or if the decisions in which only one of them is right distinguish them.
bool is_distinguishably_better(std::uint64_t better, std::uint64_t other, std::uint64_t both);

/// One bit for each decision of a log, launch by launch.
class DecisionBits {
 public:
  explicit DecisionBits(std::size_t decisions = 0) : words_((decisions + 63) / 64, 0) {}

  void set(std::size_t decision) { words_[decision / 64] |= std::uint64_t{1} << (decision % 64); }
  bool test(std::size_t decision) const { return (words_[decision / 64] >> (decision % 64) & 1) != 0; }
  std::size_t words() const { return words_.size(); }
  std::uint64_t word(std::size_t index) const { return words_[index]; }
  std::uint64_t& word(std::size_t index) { return words_[index]; }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
  }

  friend bool operator==(const DecisionBits&, const DecisionBits&) = default;
  friend bool operator<(const DecisionBits& a, const DecisionBits& b) { return a.words_ < b.words_; }

 private:
  std::vector<std::uint64_t> words_;
};

/// Returns the number of decisions that are in both.
inline std::uint64_t count_both(const DecisionBits& a, const DecisionBits& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.words(); ++i) sum += static_cast<std::uint64_t>(std::popcount(a.word(i) & b.word(i)));
  return sum;
}

/// Some of the decisions of a log, and the expected result of chance.
struct DecisionSet {
  DecisionBits bits;
  ChanceLevel chance;
};

/// The decisions of one launch.
struct LaunchDecisions {
  std::string name;
  std::uint32_t first = 0;  ///< first bit
  std::uint32_t last = 0;   ///< bit after the last
  std::uint64_t judged = 0;
};

/// Sets of decisions. A decision is open if more than one core had room, or if the work-group went to a core without
/// room: other decisions are no evidence. If the clock is too coarse to order events, a decision at an instant of a
/// release is not open, either; nor is one that is uncertain by the noise of the log.
struct DecisionMasks {
  DecisionSet judged;        ///< all except those left out
  DecisionSet open;          ///< all that are open
  DecisionSet first_wave;    ///< open ones before anything has ended
  DecisionSet replacements;  ///< open ones after that
  DecisionBits repeats;      ///< the work-group is on the core of the previous one, of the same launch
  std::vector<LaunchDecisions> launches;
};

/// Whether the clock of a log orders events.
enum class LogClock : std::uint8_t { fine, coarse };

/// Returns the masks of a log that was replayed.
DecisionMasks decision_masks(const PlacementLog& log, const std::vector<Replay>& replays, LogClock clock);

/// Returns the decisions of `set` that belong to one launch.
DecisionSet decisions_of_launch(const DecisionSet& set, const LaunchDecisions& launch,
                                const std::vector<Replay>& replays);

/// Identifies an inference.
struct InferenceIdentity {
  std::string program;  ///< name and version
  std::string content;  ///< a hash of the log, the device and its models, and the program
};

/// By part, which is a replay with a choice of cores: the decisions that agree with a log. Parts are numbered by
/// replay, then by choice.
using KnownDecisions = std::map<std::uint64_t, DecisionBits>;

/// The parts that one shard decides, in an SQLite file. Additions are stored at once, so that a killed shard continues
/// from them. Every row has a digest, and a file is read only if all match. Throws InputError if a file has no such
/// decisions, is of another inference or shard, or is damaged. Not thread-safe.
class DecisionStore {
 public:
  /// Opens or makes the file of a shard. The inference has `parts` parts, with `decisions` decisions each.
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
