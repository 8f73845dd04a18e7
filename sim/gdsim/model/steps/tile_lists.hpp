#pragma once

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

/// The lists of tiles that are taken on demand: the number of taken tiles of each, and the threads that request one at
/// this instant.
///
/// Each launch has its own lists, except that all launches of several kernels share a list that these kernels name.
class TileLists {
 public:
  /// A request of threads that take a tile together: all threads of a work-group, or a single one.
  struct Request {
    LaunchId launch{};
    WorkGroupId work_group{};
    std::uint32_t thread = 0;  ///< 0 for a work-group
    GroupIndex group{};
    std::uint32_t step = 0;           ///< number among the program's `tiles` steps
    CohortIndex waiting = kNoCohort;  ///< the first of a chain of waiting cohorts
  };

  explicit TileLists(const Workload& workload);

  /// Adds a cohort's request for a tile. It joins the last request if that is of the same work-group and `is_shared`.
  /// Returns true if it is the first request of this instant.
  bool request(const Request& request, bool is_shared, CohortIndex& next);
  /// Removes and returns the requests of this instant, in the order in which they get tiles.
  std::vector<Request> take_requests();
  /// Takes the next of `count` tiles of the list of the launch's step. Returns nullopt if none is left.
  std::optional<std::uint64_t> take(LaunchId launch, std::uint32_t step, std::uint64_t count);

 private:
  const Workload& workload_;
  std::map<std::pair<KernelId, std::uint32_t>, std::uint32_t> shared_;  ///< by kernel and step: number of the list
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t>
      taken_;                      ///< by launch and step, or kAllLaunches and list
  std::vector<Request> requests_;  ///< empty between instants
};

}  // namespace gdsim
