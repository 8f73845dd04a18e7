#include <gdsim/device/power_rule.hpp>

#include <algorithm>

namespace gdsim {

Hertz clock_after(const PowerRule& rule, Int128 busy) {
  const Int128 allowed = Int128{rule.limit.count - rule.idle.count} * rule.period.count;
  const auto is_within = [&](const PowerRule::Level& level) { return busy * level.per_busy_context.count <= allowed; };
  const auto highest = std::find_if(rule.levels.rbegin(), rule.levels.rend(), is_within);
  return highest == rule.levels.rend() ? rule.levels.front().clock : highest->clock;
}

}  // namespace gdsim
