#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/workload/workload.hpp>

#include <chrono>
#include <cstdint>

namespace gdsim::cli {

/// Tells on standard error, which is a terminal, how far a run has come: the share of work-groups that have ended,
/// happenings per second, the time left if it goes on like this. Says nothing in the first half second, at most ten
/// times a second after that, and leaves no trace.
class ProgressLine : public Observer {
 public:
  explicit ProgressLine(const Workload& workload);
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void instant(Picoseconds time, std::span<const Fact> facts) override;
  bool sees_handovers() const override { return false; }
  void handed_on(std::uint64_t work_groups) override;
  void repeated(const Segment& segment, std::uint64_t count) override;
  std::uint64_t most_repetitions(const Segment&) const override { return kAnyNumber; }

 private:
  using Clock = std::chrono::steady_clock;

  void show_if_due();
  void show(Clock::time_point now);

  std::uint64_t work_groups_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t happenings_ = 0;
  std::uint64_t instants_ = 0;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_ = begun_ + std::chrono::milliseconds(500);
  bool is_shown_ = false;
};

}  // namespace gdsim::cli
