#include <gdsim/record/core_timeline.hpp>

#include <gdsim/record/device_counter.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Converts counts of one core. The contexts of a core fit into 32 bits.
CoreResidency on_core(const Residency& counts) {
  return {static_cast<std::uint32_t>(counts.threads), static_cast<std::uint32_t>(counts.running),
          static_cast<std::uint32_t>(counts.work_groups), counts.slm};
}

}  // namespace

void CoreTimeline::on_instant(const Instant& now) {
  touched_.clear();
  for (const Fact& fact : now.facts) {
    apply_fact(fact, Scope::core, now_[index_of(fact.core)]);
    touched_.push_back(fact.core);
  }
  if (points_.empty()) {
    for (std::size_t i = 0; i < now_.size(); ++i)
      points_.push_back({now.time, static_cast<CoreId>(i), on_core(now_[i])});
    written_ = now_;
    return;
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const CoreId core : touched_) {
    const std::size_t i = index_of(core);
    if (now_[i] == written_[i]) continue;
    points_.push_back({now.time, core, on_core(now_[i])});
    written_[i] = now_[i];
  }
}

}  // namespace gdsim
