#include <gdsim/record/idle_uses.hpp>

#include <algorithm>

namespace gdsim {

void IdleUses::Iterator::pass_zeros() {
  if (rows_->empty()) return;
  for (const std::size_t cores = rows_->front().context_times.size(); core_ < cores; ++core_, row_ = 0)
    for (; row_ < rows_->size(); ++row_)
      if ((*rows_)[row_].context_times[core_] != 0) return;
  row_ = 0;
}

bool operator==(const IdleUses& a, const IdleUses& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace gdsim
