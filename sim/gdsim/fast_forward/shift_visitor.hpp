#pragma once

#include <gdsim/fast_forward/state_image.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace gdsim {

/// Moves a state by several periods. Accumulators grow by the same amount in each period.
class ShiftVisitor : public StateVisitor {
 public:
  /// `growth` is the growth of every accumulator in one period, in the order of the visit. `period` and `growth` must
  /// outlive this.
  ShiftVisitor(const Period& period, std::uint64_t count, std::span<const Int128> growth)
      : period_(period), shift_(times(period.shift, count)), count_(count), growth_(growth) {}

  void instant(SimTime& time) override { time = time + shift_.time; }
  void dispatched(LaunchId launch, std::uint64_t& count, std::uint64_t& number) override {
    count += count_of(shift_.work_groups, launch);
    number += number_of(shift_.work_groups, launch);
  }
  void counted(LaunchId launch, std::uint64_t& count) override { count += count_of(shift_.work_groups, launch); }
  void ordinal(LaunchId launch, std::uint64_t& number) override { number += number_of(shift_.work_groups, launch); }
  void phases(LaunchId, std::uint64_t& count) override { count += count_ * period_.phases[next_phases_++]; }
  void iterations(LaunchId, std::span<std::uint64_t> done, std::span<const std::uint64_t>, std::uint64_t) override {
    const auto& grown = period_.iterations[next_iterations_++];
    for (std::size_t depth = 0; depth < done.size(); ++depth) done[depth] += count_ * grown[depth];
  }
  bool wants_totals() const override { return true; }
  void total(Int128& sum) override { sum += grows(); }
  void integral(TimeIntegral& integral) override { integral.fast_forward(shift_.time, grows()); }

 private:
  void on_plain(std::uint64_t&) override {}
  void on_shape(std::uint64_t) override {}
  Int128 grows() { return static_cast<Int128>(count_) * growth_[next_total_++]; }

  const Period& period_;
  Shift shift_;
  std::uint64_t count_;
  std::span<const Int128> growth_;
  std::size_t next_total_ = 0;
  std::size_t next_phases_ = 0;
  std::size_t next_iterations_ = 0;
};

}  // namespace gdsim
