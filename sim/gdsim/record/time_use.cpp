#include <gdsim/record/time_use.hpp>

#include <algorithm>

namespace gdsim {

WaitSeries::WaitSeries(std::size_t columns) : columns_(columns) {}

WaitSeries::WaitSeries(std::size_t columns, Duration width, std::uint64_t max_intervals)
    : columns_(columns), width_(width), fixed_(max_intervals) {}

Int128 WaitSeries::waited(std::uint64_t interval, std::size_t column) const {
  const auto& [waited, changes] = columns_[column];
  Int128 time = interval < waited.size() ? waited[interval] : 0;
  // The last change ends the last wait.
  if (interval + 1 < changes.size()) {
    Int128 threads = 0;
    for (std::uint64_t i = 0; i <= interval; ++i) threads += changes[i];
    time += threads * width_.count;
  }
  return time;
}

void IdleUses::Iterator::pass_zeros() {
  if (rows_->empty()) return;
  for (const std::size_t cores = rows_->front().context_times.size(); core_ < cores; ++core_, row_ = 0)
    for (; row_ < rows_->size(); ++row_)
      if ((*rows_)[row_].context_times[core_] != 0) return;
  row_ = 0;
}

bool operator==(const IdleUses& a, const IdleUses& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace gdsim
