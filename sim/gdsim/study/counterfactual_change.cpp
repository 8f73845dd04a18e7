#include <gdsim/study/counterfactual_change.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

Baseline::Baseline(const Scenario& scenario, const RunRecord& record) : scenario_(scenario), record_(record) {
  for (const CoreTimeUse& one : record.time_use) use_ += one.use;
}

std::string Baseline::wait_words(const std::string& name, TimeKind kind, const std::string& where) const {
  const auto part = static_cast<UInt128>(use_.of(kind));
  const auto whole = static_cast<UInt128>(std::max<Int128>(use_.sum(), 1));
  return fmt::format("{}: {}s wait {} % of their time {}", name, terms().thread, to_fixed({part * 100, whole}, 1),
                     where);
}

}  // namespace gdsim
