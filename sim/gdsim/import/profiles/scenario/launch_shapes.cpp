#include <gdsim/import/profiles/scenario/launch_shapes.hpp>

#include <algorithm>
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

}  // namespace gdsim
