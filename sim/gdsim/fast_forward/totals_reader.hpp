#pragma once

#include <gdsim/base/state_visitor.hpp>

#include <vector>

namespace gdsim {

/// Reads all accumulators of a state, in the order of the visit.
class TotalsReader : public StateVisitor {
 public:
  explicit TotalsReader(SimTime now) : now_(now) {}

  std::vector<Int128> take() { return std::move(totals_); }

  void instant(SimTime&) override {}
  void dispatched(LaunchId, std::uint64_t&, std::uint64_t&) override {}
  void counted(LaunchId, std::uint64_t&) override {}
  void ordinal(LaunchId, std::uint64_t&) override {}
  void phases(LaunchId, std::uint64_t&) override {}
  void iterations(LaunchId, std::span<std::uint64_t>, std::span<const std::uint64_t>, std::uint64_t) override {}
  bool wants_totals() const override { return true; }
  void total(Int128& sum) override { totals_.push_back(sum); }
  void integral(TimeIntegral& integral) override { totals_.push_back(integral.at(now_)); }

 private:
  void on_plain(std::uint64_t&) override {}
  void on_shape(std::uint64_t) override {}

  SimTime now_;
  std::vector<Int128> totals_;
};

}  // namespace gdsim
