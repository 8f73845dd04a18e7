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

/// The lists of tiles that are taken on demand: how many of each are gone, and which threads request one at this
/// instant.
///
/// Each launch has lists of its own; one that several kernels name is the same for all their launches.
class TileLists {
 public:
  /// Threads that take a tile together: all those of a work-group, or one.
  struct Request {
    LaunchId launch{};
    WorkGroupId work_group{};
    std::uint32_t thread = 0;  ///< 0 for a work-group
    GroupIndex group{};
    std::uint32_t step = 0;           ///< which of the program's steps `tiles`
    CohortIndex waiting = kNoCohort;  ///< the first of a chain
  };

  explicit TileLists(const Workload& workload);

  /// Another cohort requests a tile: with the last one, if it is of the same work-group and `is_shared`. True if it is
  /// the first request of this instant.
  bool request(const Request& request, bool is_shared, CohortIndex& next);
  /// The requests of this instant, in the order in which they are given tiles.
  std::vector<Request> take_requests();
  /// The next of `count` tiles of the list of the launch's step; nothing: none is left.
  std::optional<std::uint64_t> take(LaunchId launch, std::uint32_t step, std::uint64_t count);

 private:
  Bound<const Workload> workload_;
  std::map<std::pair<KernelId, std::uint32_t>, std::uint32_t> shared_;  ///< [constant] by kernel and step: which list
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t>
      taken_;                      ///< by launch and step, or kAllLaunches and list
  std::vector<Request> requests_;  ///< [scratch]
};

}  // namespace gdsim
