#include <gdsim/import/profiles/scenario/launch_shapes.hpp>

#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace gdsim {
namespace {

constexpr std::int64_t kCloseDivisor = 200;  ///< 0.5 %

auto shape_of(const ProfiledLaunch& launch) {
  return std::tie(launch.name, launch.grid, launch.block, launch.registers, launch.accumulation_registers,
                  launch.scalar_registers, launch.static_slm, launch.dynamic_slm, launch.sub_group, launch.large_grf,
                  launch.cluster);
}

struct ByShape {
  bool operator()(const ProfiledLaunch* a, const ProfiledLaunch* b) const { return shape_of(*a) < shape_of(*b); }
};

LaunchClass class_of(const Profile& profile, std::vector<std::size_t> by_duration) {
  const auto duration = [&](std::size_t launch) { return profile.launches[launch].duration.value_or(0); };
  LaunchClass one;
  one.shortest = duration(by_duration.front());
  one.longest = duration(by_duration.back());
  one.median = duration(by_duration[by_duration.size() / 2]);
  std::sort(by_duration.begin(), by_duration.end());
  one.launches = std::move(by_duration);
  return one;
}

std::vector<LaunchClass> classes_of(const Profile& profile, std::vector<std::size_t> launches, Merging merging) {
  std::vector<LaunchClass> classes;
  if (merging == Merging::one_by_one) {
    for (const std::size_t launch : launches) classes.push_back(class_of(profile, {launch}));
    return classes;
  }
  const auto duration = [&](std::size_t launch) { return profile.launches[launch].duration.value_or(0); };
  std::stable_sort(launches.begin(), launches.end(),
                   [&](std::size_t a, std::size_t b) { return duration(a) < duration(b); });
  if (merging == Merging::by_shape) return {class_of(profile, std::move(launches))};
  for (auto begin = launches.begin(); begin != launches.end();) {
    const std::int64_t most = duration(*begin) + duration(*begin) / kCloseDivisor;
    const auto end = std::find_if(begin, launches.end(), [&](std::size_t launch) { return duration(launch) > most; });
    classes.push_back(class_of(profile, {begin, end}));
    begin = end;
  }
  std::sort(classes.begin(), classes.end(),
            [](const LaunchClass& a, const LaunchClass& b) { return a.launches.front() < b.launches.front(); });
  return classes;
}

}  // namespace

std::vector<LaunchShape> launch_shapes(const Profile& profile, Merging merging) {
  std::map<const ProfiledLaunch*, std::size_t, ByShape> numbers;
  std::vector<std::vector<std::size_t>> launches;
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    if (profile.launches[i].work != ProfiledWork::kernel) continue;
    const auto [known, is_new] = numbers.emplace(&profile.launches[i], launches.size());
    if (is_new) launches.emplace_back();
    launches[known->second].push_back(i);
  }
  std::vector<LaunchShape> shapes;
  for (std::vector<std::size_t>& of_shape : launches) {
    LaunchShape shape;
    shape.first = of_shape.front();
    shape.classes = classes_of(profile, std::move(of_shape), merging);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

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

Kernel shape_kernel(const ProfiledLaunch& launch, std::uint32_t sub_group) {
  Kernel kernel;
  for (std::size_t d = 0; d < launch.grid.size(); ++d) {
    const std::size_t last_runs_fastest = launch.grid.size() - 1 - d;
    kernel.range.local[last_runs_fastest] = launch.block[d];
    kernel.range.global[last_runs_fastest] = launch.grid[d] * launch.block[d];
  }
  kernel.sub_group = launch.sub_group.value_or(sub_group);
  kernel.needs.slm.total =
      Bytes{static_cast<std::int64_t>(launch.static_slm.value_or(0) + launch.dynamic_slm.value_or(0))};
  kernel.needs.registers = launch.registers.value_or(0);
  kernel.needs.accumulation_registers = launch.accumulation_registers.value_or(0);
  kernel.needs.scalar_registers = launch.scalar_registers.value_or(0);
  if (launch.large_grf) kernel.needs.grf = GrfMode::large;
  if (launch.cluster > 1) kernel.cluster = {launch.cluster};
  return kernel;
}

std::uint32_t usual_sub_group(const DeviceSpec& device) {
  const auto& sizes = device.sub_group_sizes;
  if (sizes.size() == 1) return sizes.front();
  const std::uint32_t wanted = device.vendor == "intel" ? 16 : 32;
  if (std::find(sizes.begin(), sizes.end(), wanted) != sizes.end()) return wanted;
  return sizes.empty() ? 1 : sizes.back();
}

}  // namespace gdsim
