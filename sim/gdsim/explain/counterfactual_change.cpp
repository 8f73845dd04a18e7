#include <gdsim/explain/counterfactual_change.hpp>

#include <gdsim/analysis/peer_waits.hpp>

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace gdsim
