#pragma once

#include <gdsim/dispatch/dispatch_state.hpp>

#include <utility>
#include <vector>

namespace gdsim {

/// The request that explains why contexts of a dispatcher's cores stay free: the last one of a turn whose launch has
/// another work-group to place. It may not have been made, if its launch was refused earlier.
struct LastRequest {
  Request request;
  std::vector<const Footprint*>
      by_partition;  ///< the request of each partition of the launch; empty without partitions

  /// Returns the last request of the dispatcher.
  static LastRequest made_by(const Dispatcher& dispatcher) {
    return {*dispatcher.search.last(), dispatcher.search.requested()};
  }
  bool is_made_by(const Dispatcher& dispatcher) const {
    const Request& made = *dispatcher.search.last();
    return request.launch == made.launch && request.footprint == made.footprint &&
           by_partition == dispatcher.search.requested();
  }
  /// Returns a request for the next work-group of the launch.
  static LastRequest of(const DispatchState& state, const Dispatcher& dispatcher, LaunchId launch) {
    LastRequest last{dispatcher.search.make_request(launch, state.progress.next_footprint(launch)), {}};
    if (!state.progress.is_partitioned()) return last;
    for (std::size_t partition = 0; partition < state.progress.partition_count(launch); ++partition)
      last.by_partition.push_back(state.progress.next_footprint(launch, partition));
    return last;
  }
  /// Returns the footprint that is requested of the core, or null if its partition of the launch is exhausted.
  const Footprint* wanted_of(const Dispatcher& dispatcher, CoreId core) const {
    return by_partition.empty() ? request.footprint
                                : by_partition[dispatcher.search.progress().partition_of(request.launch, core)];
  }
  /// Returns true if the launch has another work-group to place, or threads of a spread one.
  bool waits(const DispatchState& state, const Dispatcher& dispatcher) const {
    return state.progress.has_next(request.launch) || dispatcher.partials.spread().has_value();
  }

  /// Returns true if both are for the same work-groups of the same launch.
  friend bool operator==(const LastRequest& a, const LastRequest& b) {
    return a.request.launch == b.request.launch && a.request.footprint == b.request.footprint &&
           a.by_partition == b.by_partition;
  }
};

}  // namespace gdsim
