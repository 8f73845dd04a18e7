#include <gdsim/run/load_clocks.hpp>

#include <gdsim/device/power_rule.hpp>

#include <utility>

namespace gdsim {
namespace {

/// Cuts the time of a run into periods, and gives each the clock that the load of the previous one requests.
class Governor {
 public:
  explicit Governor(const DeviceSpec& device) : rule_(*device.power), clock_(*device.clock) {}

  /// Adds the time from the end of the last call to `until`, during which `threads` contexts are held.
  void add(SimTime until, std::uint64_t threads) {
    for (int ended = 0; ended < 2 && end_of_period_ <= until; ++ended) {
      hold(end_of_period_, threads);
      end_period();
    }
    // The second period had this load throughout. So have all further ones that end by `until`: their clock is the
    // same.
    skip((until - now_).count / rule_.period.count);
    hold(until, threads);
  }

  std::vector<ClockChange> take_changes() { return std::move(changes_); }

 private:
  void hold(SimTime until, std::uint64_t threads) {
    busy_ += Int128{threads} * (until - now_).count;
    now_ = until;
  }
  void end_period() {
    const Hertz next = clock_after(rule_, busy_);
    if (next != clock_) changes_.push_back({end_of_period_, next});
    clock_ = next;
    busy_ = 0;
    end_of_period_ = end_of_period_ + rule_.period;
  }
  void skip(std::int64_t periods) {
    if (periods < 1) return;
    now_ = now_ + times(rule_.period, static_cast<std::uint64_t>(periods));
    end_of_period_ = now_ + rule_.period;
  }

  const PowerRule& rule_;
  Hertz clock_;
  SimTime now_;
  SimTime end_of_period_ = SimTime{} + rule_.period;
  Int128 busy_ = 0;  ///< of this period, context-picoseconds
  std::vector<ClockChange> changes_;
};

}  // namespace

std::vector<ClockChange> clocks_for_load(const DeviceSpec& device, const RunResult& run, SimTime end) {
  Governor governor(device);
  std::uint64_t threads = 0;
  for (const ResidentPoint& point : run.resident.points) {
    governor.add(point.time, threads);
    threads = point.threads;
  }
  governor.add(end, threads);
  return governor.take_changes();
}

}  // namespace gdsim
