#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The bounds: what grows too fast.

namespace gdsim::scaling {

using Instructions = std::int64_t;

/// The instructions of the runs of one key under some rules.
struct Counts {
  std::string key;
  std::string rules;
  std::vector<std::uint64_t> sizes;        ///< the smallest, N, 2 N, and 4 N unless the selection is short
  std::vector<Instructions> instructions;  ///< of each size
};

/// Twice as much of a key may take so many times the instructions: N log N passes, N^1.25 does not. Where the smallest
/// size is not small beside N, what is counted beyond it may grow as the sizes beyond it do, and as much more.
inline constexpr double kMostPerDoubling = 2.3;
/// Where each is looked at whenever another changes.
inline constexpr double kMostPerDoublingOfPairs = 2 * kMostPerDoubling;
/// Less is not held against a run: what tables, buffers and pages take here and there.
inline constexpr Instructions kSlackOfGrowth = 1'000'000;

/// The instructions of N, 2 N and 4 N beyond those of the smallest size, which are start-up.
std::vector<Instructions> net_of(const Counts& counts);

/// A sentence for each bound that is exceeded; `most_per_doubling` is one of those above.
std::vector<std::string> exceeded(const Counts& counts, double most_per_doubling = kMostPerDoubling);

/// The counts in the columns `key,rules,count,size,instructions`, in any order; size 0 is the smallest, 1 N, 2 2 N and
/// so on. Throws std::runtime_error where a line or a run is missing.
std::vector<Counts> read_counts(const std::string& csv);

/// The table that is kept on request: a row for each key, rules and size.
std::string table_of(const std::vector<Counts>& all);

}  // namespace gdsim::scaling
