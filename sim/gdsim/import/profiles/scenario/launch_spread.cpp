#include <gdsim/import/profiles/scenario/launch_spread.hpp>

#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <cmath>

namespace gdsim {
namespace {

/// The largest coefficient of variation that a scenario takes.
constexpr std::int64_t kMaxThousandths = 10'000;

}  // namespace

LaunchSpread spread_of(const Profile& profile, const std::vector<std::size_t>& launches) {
  Int128 count = 0;
  Int128 sum = 0;
  for (const std::size_t launch : launches) {
    const ProfiledLaunch& row = profile.launches[launch];
    count += Int128{row.count};
    sum += Int128{*row.duration} * Int128{row.count};
  }
  LaunchSpread spread;
  spread.mean = std::max<std::int64_t>(static_cast<std::int64_t>(sum / count), 1);
  double squares = 0;
  for (const std::size_t launch : launches) {
    const ProfiledLaunch& row = profile.launches[launch];
    const auto off = static_cast<double>(*row.duration - spread.mean);
    squares += off * off * static_cast<double>(row.count);
  }
  spread.deviation = static_cast<std::int64_t>(std::sqrt(squares / static_cast<double>(count)));
  return spread;
}

std::optional<Draw> draw_of_spread(const LaunchSpread& spread, Duration cost) {
  const std::int64_t computing = std::max<std::int64_t>(spread.mean - cost.count, 1);
  const Int128 thousandths = std::min<Int128>(Int128{spread.deviation} * 1'000 / computing, kMaxThousandths);
  if (thousandths < 1) return std::nullopt;
  return Draw{Distribution::lognormal, Decimal{static_cast<std::uint64_t>(thousandths), -3}, DrawPer::launch, 1};
}

}  // namespace gdsim
