#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/decimal.hpp>

#include <cstdint>

namespace gdsim {

/// The range of the axis of threads in figures of a run.
struct ThreadAxis {
  std::uint64_t top = 0;  ///< threads
  /// `top` in percent of the device's contexts.
  Decimal percent = Decimal::whole(100);

  bool is_whole_device() const { return compare(percent, Decimal::whole(100)) == 0; }
};

/// The whole device. If at most a fifth of it is ever held: the smallest of 20, 10, 5, 2, 1, ... percent that holds all
/// that is drawn.
ThreadAxis fitted_axis(const RunView& view);
/// The fitted axis if `view.scale` asks for it, else the whole device.
ThreadAxis thread_axis(const RunView& view);

}  // namespace gdsim
