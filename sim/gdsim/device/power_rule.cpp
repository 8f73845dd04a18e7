#include <gdsim/device/power_rule.hpp>

#include <algorithm>

namespace gdsim {

Hertz PowerRule::clock_after(Int128 busy) const {
  const auto is_within = [&](const Level& level) {
    return Int128{idle.count} * period.count + busy * level.per_busy_context.count <= Int128{limit.count} * period.count;
  };
  const auto highest = std::find_if(levels.rbegin(), levels.rend(), is_within);
  return highest == levels.rend() ? levels.front().clock : highest->clock;
}

}  // namespace gdsim
