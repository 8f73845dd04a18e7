#include <gdsim/counterfactual/counterfactual_change.hpp>

#include <gdsim/analysis/peer_waits.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <algorithm>
#include <array>

namespace gdsim {

Baseline::Baseline(const Scenario& scenario, const RunRecord& record) : scenario_(scenario), record_(record) {
  for (const CoreTimeUse& one : record.time_use) use_ += one.use;
  all_ = use_.sum();
  use_.add(TimeKind::barrier, -exchange_time(scenario.workload, record.time_use));
}

Ratio Baseline::share(TimeKind kind) const {
  return {static_cast<UInt128>(use_.of(kind)), static_cast<UInt128>(std::max<Int128>(all_, 1))};
}

std::string Baseline::wait_words(const std::string& name, TimeKind kind, const std::string& where) const {
  const Ratio part = share(kind);
  return fmt::format("{}: {}s wait {} % of their time {}", name, terms().thread,
                     to_fixed({part.numerator * 100, part.denominator}, 1), where);
}

ChangeList list_of(std::string_view what) {
  constexpr std::array<std::string_view, 17> bounds{
      "memory_unlimited", "level_unlimited", "atomics_unlimited", "issue_unlimited",        "slm_unlimited",
      "slots_unlimited",  "no_recovery",     "free_preemption",   "dispatch_instantaneous", "initial_clock",
      "ports_unlimited",  "placement",       "whole_work_groups", "launch_overheads_zero",  "links_unlimited",
      "collectives_free", "any_start_order"};
  const std::string_view family = what.substr(0, what.find(':'));
  return std::find(bounds.begin(), bounds.end(), family) != bounds.end() ? ChangeList::bound : ChangeList::change;
}

}  // namespace gdsim
