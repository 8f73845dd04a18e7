#include <gdsim/import/profiles/scenario/launch_spread.hpp>

#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <cmath>

namespace gdsim {
namespace {

constexpr std::int64_t kMaxThousandths = 10'000;  ///< maximum coefficient of variation in a scenario

Int128 thousandths_of(const LaunchSpread& spread, Duration cost) {
  return Int128{spread.deviation} * 1'000 / std::max<std::int64_t>(spread.mean - cost.count, 1);
}

}  // namespace

LaunchSpread spread_of(const Profile& profile, const std::vector<std::size_t>& launches) {
  const auto weight_of = [](const ProfiledLaunch& row) { return std::max<std::uint64_t>(row.count, 1); };
  Int128 count = 0;
  Int128 sum = 0;
  for (const std::size_t launch : launches) {
    const ProfiledLaunch& row = profile.launches[launch];
    count += Int128{weight_of(row)};
    sum += Int128{*row.duration} * Int128{weight_of(row)};
  }
  LaunchSpread spread;
  spread.mean = std::max<std::int64_t>(static_cast<std::int64_t>(sum / count), 1);
  double squares = 0;
  for (const std::size_t launch : launches) {
    const ProfiledLaunch& row = profile.launches[launch];
    const auto off = static_cast<double>(*row.duration - spread.mean);
    squares += off * off * static_cast<double>(weight_of(row));
  }
  spread.deviation = static_cast<std::int64_t>(std::sqrt(squares / static_cast<double>(count)));
  return spread;
}

bool is_too_wide(const LaunchSpread& spread, Duration cost) { return thousandths_of(spread, cost) > kMaxThousandths; }

std::optional<Draw> draw_of_spread(const LaunchSpread& spread, Duration cost) {
  const Int128 thousandths = std::min<Int128>(thousandths_of(spread, cost), kMaxThousandths);
  if (thousandths < 1) return std::nullopt;
  return Draw{Distribution::lognormal, Decimal{static_cast<std::uint64_t>(thousandths), -3}, DrawPer::launch, 1};
}

}  // namespace gdsim
