#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// A launch or copy of a trace that has begun.
struct BegunLaunch {
  ProfiledLaunch launch;     ///< without its duration
  std::string start;         ///< as written
  std::uint64_t others = 0;  ///< other events that have begun after it, and not ended
};

/// The events of a trace that have begun and not ended. One that ends is the one that began last in its lane. Of those
/// that are no launch or copy, only the nesting is kept. The budget, which must outlive this, is charged for the rest.
class TraceLanes {
 public:
  /// A process and a thread of it, as the trace writes them.
  using Name = std::pair<std::string, std::string>;

  explicit TraceLanes(ReadBudget& budget) : budget_(budget) {}

  void begin(const Name& name, BegunLaunch launch);
  void begin_other(const Name& name) { ++lane(name).innermost(); }
  /// Returns nullopt if no launch or copy ends.
  std::optional<BegunLaunch> end(const Name& name);
  /// Returns how many launches and copies have begun and not ended.
  std::size_t open_launches() const;

 private:
  struct Lane {
    std::uint64_t others = 0;  ///< before the first launch or copy
    std::vector<BegunLaunch> launches;

    std::uint64_t& innermost() { return launches.empty() ? others : launches.back().others; }
  };

  Lane& lane(const Name& name);

  ReadBudget& budget_;
  std::map<Name, Lane> lanes_;
};

}  // namespace gdsim
