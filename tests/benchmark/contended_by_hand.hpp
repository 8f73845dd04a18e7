#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

// The contended job (jobs.hpp) as a loop that knows nothing else: one memory, issue slots of engines, and barriers, all
// in doubles. Work and turns are given. It is compared with gdsim within a thousandth, for it does not round as gdsim
// does.

namespace gdsim::benchmarks {

/// The input of the loop. Threads of a work-group follow each other; thread i of it sits on engine i mod 4 of its core.
struct ContendedWork {
  static constexpr std::uint32_t threads = 8;  ///< of a work-group
  static constexpr std::uint32_t engines = 4;  ///< of a core
  static constexpr std::uint32_t slots = 8;    ///< of a core, for work-groups

  std::uint32_t cores = 0;
  std::uint32_t rounds = 0;
  double latency = 0;             ///< picoseconds
  double alone = 0;               ///< bytes per picosecond of a thread that reads alone
  double bandwidth = 0;           ///< of all
  std::vector<double> bytes;      ///< by thread: of each memory step
  std::vector<double> work;       ///< by thread: picoseconds of each issue step
  std::vector<bool> first_turns;  ///< by work-group: whether it is first in odd rounds, from 1
};

/// Members of weights 3 and 1, each served at its weight times a common level, but at most at `cap`.
class FluidPool {
 public:
  FluidPool(double capacity, double cap) : capacity_(capacity), cap_(cap) {}

  void enter(double now, std::uint32_t thread, double work, bool is_first) {
    advance(now);
    lanes_[is_first ? 1 : 0].members.emplace(lanes_[is_first ? 1 : 0].reading + work, thread);
    set_rates();
  }
  /// Calls `done(thread)` for those who are done.
  template <class Done>
  void leave(double now, Done&& done) {
    advance(now);
    for (Lane& lane : lanes_)
      while (!lane.members.empty() && lane.members.top().first <= lane.reading * (1 + 1e-12)) {
        done(lane.members.top().second);
        lane.members.pop();
      }
    set_rates();
  }
  double next() const {
    double first = std::numeric_limits<double>::infinity();
    for (const Lane& lane : lanes_)
      if (!lane.members.empty())
        first = std::min(first, since_ + std::max(0.0, lane.members.top().first - lane.reading) / lane.rate);
    return first;
  }

 private:
  using Member = std::pair<double, std::uint32_t>;
  struct Lane {
    double reading = 0;
    double rate = 0;
    std::priority_queue<Member, std::vector<Member>, std::greater<>> members;
  };

  void advance(double now) {
    for (Lane& lane : lanes_) lane.reading += lane.rate * (now - since_);
    since_ = now;
  }
  void set_rates() {
    const auto last = static_cast<double>(lanes_[0].members.size());
    const auto first = static_cast<double>(lanes_[1].members.size());
    const double level = capacity_ / (3 * first + last);
    lanes_[1].rate = std::min(cap_, 3 * level);
    lanes_[0].rate = std::min(cap_, 3 * level < cap_ ? level : (capacity_ - first * cap_) / last);
  }

  double capacity_;
  double cap_;
  double since_ = 0;
  Lane lanes_[2];  ///< weight 1, weight 3
};

class ContendedLoop {
 public:
  explicit ContendedLoop(const ContendedWork& work)
      : work_(work),
        memory_(work.bandwidth, work.alone),
        engines_(std::size_t{work.cores} * ContendedWork::engines, FluidPool(1, 1)),
        engine_of_(work.bytes.size(), 0),
        arrived_(work.first_turns.size(), 0),
        round_(work.first_turns.size(), 0) {}

  /// When the last work-group ends, picoseconds.
  double run() {
    for (std::uint32_t core = 0; core < work_.cores; ++core)
      for (std::uint32_t slot = 0; slot < ContendedWork::slots; ++slot) place(core);
    while (true) {
      const double served = memory_.next();
      const double answered = answers_.empty() ? kNever : answers_.front().first;
      while (!issued_.empty() && issued_.top().first != engines_[issued_.top().second].next()) issued_.pop();
      const double issued = issued_.empty() ? kNever : issued_.top().first;
      const double next = std::min({served, answered, issued});
      if (next == kNever) return now_;
      now_ = next;
      if (answered == next) {
        const std::uint32_t thread = answers_.front().second;
        answers_.pop_front();
        arrive(thread);
      } else if (served == next) {
        memory_.leave(now_, [&](std::uint32_t thread) { answers_.emplace_back(now_ + work_.latency, thread); });
      } else {
        const std::uint32_t engine = issued_.top().second;
        issued_.pop();
        done_.clear();
        engines_[engine].leave(now_, [&](std::uint32_t thread) { done_.push_back(thread); });
        wake(engine);
        for (const std::uint32_t thread : done_) arrive(thread);
      }
    }
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  using Due = std::pair<double, std::uint32_t>;

  void wake(std::uint32_t engine) {
    if (const double next = engines_[engine].next(); next != kNever) issued_.emplace(next, engine);
  }
  void place(std::uint32_t core) {
    if (next_group_ == round_.size()) return;
    const std::uint32_t group = next_group_++;
    for (std::uint32_t i = 0; i < ContendedWork::threads; ++i)
      engine_of_[group * ContendedWork::threads + i] = core * ContendedWork::engines + i % ContendedWork::engines;
    read(group);
  }
  bool is_first(std::uint32_t group) const { return ((round_[group] + 1) % 2 == 1) == work_.first_turns[group]; }
  void read(std::uint32_t group) {
    for (std::uint32_t i = 0; i < ContendedWork::threads; ++i) {
      const std::uint32_t thread = group * ContendedWork::threads + i;
      memory_.enter(now_, thread, work_.bytes[thread], is_first(group));
    }
  }
  void issue(std::uint32_t group) {
    for (std::uint32_t i = 0; i < ContendedWork::threads; ++i) {
      const std::uint32_t thread = group * ContendedWork::threads + i;
      engines_[engine_of_[thread]].enter(now_, thread, work_.work[thread], is_first(group));
      wake(engine_of_[thread]);
    }
  }
  /// At the barrier behind the memory step and, once all have been there, at that behind the issue step.
  void arrive(std::uint32_t thread) {
    const std::uint32_t group = thread / ContendedWork::threads;
    ++arrived_[group];
    if (arrived_[group] == ContendedWork::threads) return issue(group);
    if (arrived_[group] < 2 * ContendedWork::threads) return;
    arrived_[group] = 0;
    if (++round_[group] < work_.rounds) return read(group);
    place(engine_of_[thread] / ContendedWork::engines);
  }

  const ContendedWork& work_;
  double now_ = 0;
  std::uint32_t next_group_ = 0;
  FluidPool memory_;
  std::vector<FluidPool> engines_;
  std::vector<std::uint32_t> engine_of_;  ///< by thread
  std::vector<std::uint32_t> arrived_;    ///< by work-group: of its threads, in this round
  std::vector<std::uint32_t> round_;      ///< by work-group
  std::deque<Due> answers_;               ///< of the memory: one latency each, so they come as they were served
  std::priority_queue<Due, std::vector<Due>, std::greater<>> issued_;  ///< entries that no longer hold are dropped
  std::vector<std::uint32_t> done_;
};

}  // namespace gdsim::benchmarks
