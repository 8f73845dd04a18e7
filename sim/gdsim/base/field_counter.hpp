#pragma once

#include <gdsim/base/state_visitor.hpp>

#include <cstddef>

namespace gdsim {

/// Counts the visited fields, integrals over time included, totals excluded.
class FieldCounter : public StateVisitor {
 public:
  std::size_t fields() const { return fields_; }

  void instant(SimTime&) override { ++fields_; }
  void dispatched(LaunchId, std::uint64_t&, std::uint64_t&) override { ++fields_; }
  void counted(LaunchId, std::uint64_t&) override { ++fields_; }
  void ordinal(LaunchId, std::uint64_t&) override { ++fields_; }
  void phases(LaunchId, std::uint64_t&) override { ++fields_; }
  void iterations(LaunchId, std::span<std::uint64_t>, std::span<const std::uint64_t>, std::uint64_t) override {
    ++fields_;
  }
  bool wants_totals() const override { return false; }
  void total(Int128&) override {}
  void integral(TimeIntegral&) override { ++fields_; }

 private:
  void on_plain(std::uint64_t&) override { ++fields_; }
  void on_shape(std::uint64_t) override { ++fields_; }

  std::size_t fields_ = 0;
};

}  // namespace gdsim
