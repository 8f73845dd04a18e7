#pragma once

#include <gdsim/run/events.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace gdsim {

inline constexpr CohortIndex kNoCohort{0xFFFF'FFFF};

/// Where threads of one work-group come together again and again: a barrier, or a split one. Counts arrivals; when
/// all participants have come, a phase is over.
struct Meeting {
  std::uint64_t participants = 0;   ///< 0: nobody ever comes
  std::uint64_t complete = 0;       ///< phases in which all have arrived
  std::uint64_t open = 0;           ///< phases whose end has been told to those who wait
  CohortIndex waiting = kNoCohort;  ///< the first of a chain

  /// Phases that follow each other and to each of which so many threads have come.
  struct Arrivals {
    std::uint64_t phases = 0;
    std::uint64_t threads = 0;
  };
  std::vector<Arrivals> arrived;  ///< from the first phase that is not complete on: as many as threads are apart

  /// How many of the participants have come how often.
  using Comings = std::map<std::uint64_t, std::uint64_t>;

  /// `threads` come for the phase of this number, from 1, each its own n-th coming; returns how many phases are
  /// complete with them.
  std::uint64_t arrive(std::uint64_t phase, std::uint64_t threads);
  Comings comings() const;
  /// As many phases are complete as the last of them has come to.
  void set_comings(const Comings& comings);
};

/// The meetings of all active work-groups. No allocation once the most that were active at once have been made.
class Meetings {
 public:
  /// `most` is the most meetings that a kernel has.
  explicit Meetings(std::size_t most) : most_(most) {}

  void open_group(GroupIndex group) {
    const std::size_t end = (static_cast<std::size_t>(group) + 1) * most_;
    if (meetings_.size() < end) meetings_.resize(end);
  }
  Meeting& of(GroupIndex group, std::uint32_t meeting) {
    return meetings_[static_cast<std::size_t>(group) * most_ + meeting];
  }
  const Meeting& of(GroupIndex group, std::uint32_t meeting) const {
    return meetings_[static_cast<std::size_t>(group) * most_ + meeting];
  }

 private:
  std::size_t most_;
  std::vector<Meeting> meetings_;  ///< by group, then meeting
};

}  // namespace gdsim
