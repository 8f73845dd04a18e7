#include <gdsim/page/thread_axis.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

/// The maximum number of threads that a figure of the run shows.
std::uint64_t max_drawn(const RunView& view) {
  std::uint64_t threads = std::max(view.record.peak_resident, view.axis_at_least);
  for (const BandRow& band : view.bands) {
    const UInt128 drawn = UInt128{band.percent[BandRow::max]} * view.record.contexts_total;
    const UInt128 whole = UInt128{100} * BandRow::kPerPercent;
    threads = std::max(threads, static_cast<std::uint64_t>((drawn + whole - 1) / whole));
  }
  return threads;
}

}  // namespace

ThreadAxis fitted_axis(const RunView& view) {
  const std::uint64_t contexts = view.record.contexts_total;
  const std::uint64_t drawn = max_drawn(view);
  ThreadAxis axis{contexts, Decimal::whole(100)};
  if (drawn == 0) return axis;
  constexpr std::array<std::uint64_t, 3> digits{20, 10, 5};
  UInt128 parts = 100;  // parts in the whole device
  for (int exponent = 0; exponent >= -6; --exponent, parts *= 10)
    for (const std::uint64_t digit : digits) {
      const auto top = static_cast<std::uint64_t>((UInt128{contexts} * digit + parts - 1) / parts);
      if (UInt128{contexts} * digit < drawn * parts) return axis;
      axis = {top, Decimal{digit, exponent}};
    }
  return axis;
}

ThreadAxis thread_axis(const RunView& view) {
  if (view.scale == FigureScale::fits) return fitted_axis(view);
  return {view.record.contexts_total, Decimal::whole(100)};
}

}  // namespace gdsim
