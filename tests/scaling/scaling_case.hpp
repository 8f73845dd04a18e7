#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// What is measured: one key of a scenario that can repeat, under some rules, repeated N, 2 N and 4 N times.

namespace gdsim::scaling {

/// What a run of N of something may grow as.
enum class Growth {
  itself,  ///< N log N
  pairs  ///< N^2 log N: each of them is looked at whenever one of the others changes; a reason stands where it is said
};

/// What a scenario is simulated under. An empty word leaves the default in place.
struct Rules {
  std::string device = "a100-80gb";
  std::string dispatch;   ///< keys of `dispatch:`, such as `kernel_choice: round_robin`
  std::string variation;  ///< of every kernel
  std::string queue;      ///< the order of a queue that all launches are in; empty: no queue
  Growth growth = Growth::itself;

  /// In a few words, without commas: for tables.
  std::string name() const;
};

/// Writes the scenario in which the key is there so many times.
using WriteScenario = std::function<std::string(const Rules&, std::uint64_t count)>;

/// A key, and all that it is measured under.
struct Key {
  std::string name;
  std::uint64_t count;  ///< N
  WriteScenario scenario;
  std::vector<Rules> rules;  ///< the first one is in the short selection
  /// Words of the command line; the scenario comes from standard input. Prints a table, since a text has further runs
  /// behind it, for what decides the duration.
  std::vector<std::string> command{"run", "-", "--print", "phases"};
  std::uint64_t smallest = 1;  ///< what is counted at this size is start-up
  Growth growth = Growth::itself;
};

/// Keys by what they repeat: launches and what orders them, steps, parts of devices, parts of files.
std::vector<Key> launch_keys();
std::vector<Key> order_keys();
std::vector<Key> step_keys();
std::vector<Key> loop_keys();
std::vector<Key> device_keys();
std::vector<Key> file_keys();

/// All of them.
std::vector<Key> all_keys();
/// Of the key with this name under the rules with this name; Growth::itself of what is no key.
Growth growth_of(const std::string& key, const std::string& rules);

}  // namespace gdsim::scaling
