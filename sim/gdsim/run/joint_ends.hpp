#pragma once

#include <gdsim/record/run_record.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// Launches that end together after the last of them has joined: the parts of a collective.
struct JointEnd {
  std::vector<LaunchId> launches;
  LaunchId last{};  ///< the first of those that joined last
  SimTime joined;   ///< when all threads of that one were resident, so that their exchange could begin
  SimTime ended;    ///< the first end of them
};

/// The launches of a completed run that end together.
class JointEnds {
 public:
  /// Each launch is in one group at most.
  JointEnds(const RunRecord& record, std::span<const std::vector<LaunchId>> groups);

  std::span<const JointEnd> all() const { return ends_; }
  /// Returns the group's number in all(); kAlone: the launch ends alone.
  std::uint32_t number_of(LaunchId launch) const { return ends_.empty() ? kAlone : numbers_[index_of(launch)]; }
  /// Returns null if the launch ends alone.
  const JointEnd* of(LaunchId launch) const {
    const std::uint32_t number = number_of(launch);
    return number == kAlone ? nullptr : &ends_[number];
  }
  /// Returns the time at which all threads of a part of a collective were resident.
  static SimTime joined_at(const RunRecord& record, LaunchId launch) {
    return *record.launches[index_of(launch)].fully_dispatched;
  }
  /// Returns the same milestones, each after those that it waits for, with the ends of a group next to each other,
  /// after all that any of them waits for. They are in the order of time: an exchange ends after all its parts have
  /// joined.
  std::vector<Milestone> order(const std::vector<Milestone>& milestones, const RunRecord& record) const;

  static constexpr std::uint32_t kAlone = 0xffff'ffff;

 private:
  std::vector<JointEnd> ends_;
  std::vector<std::uint32_t> numbers_;  ///< by launch; empty: all end alone
};

}  // namespace gdsim
