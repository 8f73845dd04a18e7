#pragma once

#include <gdsim/base/copying/bound.hpp>
#include <gdsim/base/ids.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The lists of tiles that are taken on demand: how many tiles of each are taken, and which threads request one at this
/// instant.
///
/// Each launch has its own lists. A list that several kernels name is the same for all their launches.
class TileLists {
 public:
  /// Threads that take a tile together: all those of a work-group, or one.
  struct Request {
    LaunchId launch{};
    WorkGroupId work_group{};
    std::uint32_t thread = 0;  ///< 0 for a work-group
    GroupIndex group{};
    std::uint32_t step = 0;           ///< number among the program's `tiles` steps
    CohortIndex waiting = kNoCohort;  ///< the first of a chain of cohorts
  };

  explicit TileLists(const Workload& workload);

  /// Another cohort requests a tile. It joins the last request if that is of the same work-group and `is_shared`.
  /// Returns true if it is the first request of this instant.
  bool request(const Request& request, bool is_shared, CohortIndex& next);
  /// The requests of this instant, in the order in which they get tiles.
  std::vector<Request> take_requests();
  /// The next of `count` tiles of the list of the launch's step; nullopt if none is left.
  std::optional<std::uint64_t> take(LaunchId launch, std::uint32_t step, std::uint64_t count);

 private:
  Bound<const Workload> workload_;
  std::map<std::pair<KernelId, std::uint32_t>, std::uint32_t> shared_;  ///< by kernel and step: which list
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t>
      taken_;                      ///< by launch and step, or kAllLaunches and list
  std::vector<Request> requests_;  ///< scratch
};

}  // namespace gdsim
