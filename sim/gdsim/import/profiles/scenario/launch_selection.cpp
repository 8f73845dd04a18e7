#include <gdsim/import/profiles/scenario/launch_selection.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace gdsim {
namespace {

[[noreturn]] void refuse_profile(const Profile& profile, const std::string& message) {
  throw InputError({Diagnostic{"profile", message, profile.file, 0, 0, {}}});
}

/// Returns what was left out of the profile, and why: `; left out: REASON: COUNT`.
std::string left_out_text(const Profile& profile) {
  std::string text;
  for (const auto& [reason, count] : profile.left_out) text += fmt::format("; left out: {}: {}", reason, count);
  return text;
}

/// Returns why a launch cannot be simulated; empty if it can.
std::string obstacle(const ProfiledLaunch& launch) {
  switch (launch.work) {
    case ProfiledWork::kernel: break;
    case ProfiledWork::fill: return "fills of memory, which the simulator does not have";
    case ProfiledWork::other_copy:
      return "copies that are not between host and device, which the simulator does not have";
    case ProfiledWork::host_to_device:
    case ProfiledWork::device_to_host:
      return launch.bytes.value_or(0) > 0 ? "" : "copies of which the file does not say how many bytes they are";
  }
  if (launch.grid[0] == 0 || launch.block[0] == 0)
    return "launches of which the file does not say how large their grid and block are";
  const auto items = volume(launch.block);
  const auto groups = volume(launch.grid);
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  // It would take minutes to fit the durations of larger launches.
  constexpr std::uint64_t most_groups = std::uint64_t{1} << 26;
  if (!items || !groups || *items > most || *groups > most_groups)
    return "launches of more than 2^26 work-groups, or of more than 2^40 work-items each";
  return "";
}

class LaunchChooser {
 public:
  LaunchChooser(Profile& profile, const ProfileSelection& selection) : profile_(profile), selection_(selection) {}

  ProfiledTimes choose(std::uint32_t device) {
    keep("launches on other devices than the one with the most time",
         [&](const ProfiledLaunch& launch) { return launch.device == device; });
    keep_window();
    keep_simulated();
    keep_named();
    ProfiledTimes times = keep_timed();
    keep_top(times);
    if (!has_kernel())
      refuse_profile(profile_, "holds no launch of a kernel that can be simulated" + left_out_text(profile_));
    return times;
  }

 private:
  template <class Holds>
  void keep(const std::string& reason, Holds holds) {
    const std::size_t dropped =
        std::erase_if(profile_.launches, [&](const ProfiledLaunch& launch) { return !holds(launch); });
    if (dropped > 0) profile_.left_out[reason] += dropped;
  }

  /// Copies alone are no scenario.
  bool has_kernel() const {
    return std::any_of(profile_.launches.begin(), profile_.launches.end(),
                       [](const ProfiledLaunch& launch) { return launch.work == ProfiledWork::kernel; });
  }

  void keep_window() {
    if (!selection_.from && !selection_.to) return;
    std::optional<Int128> first;
    for (const ProfiledLaunch& launch : profile_.launches)
      if (launch.start && (!first || *launch.start < *first)) first = launch.start;
    if (!first) refuse_profile(profile_, "holds no starts, so --from and --to choose nothing; leave them out");
    keep("launches outside of --from and --to", [&](const ProfiledLaunch& launch) {
      if (!launch.start) return false;
      const Int128 at = *launch.start - *first;
      return (!selection_.from || at >= selection_.from->count) && (!selection_.to || at < selection_.to->count);
    });
  }

  void keep_simulated() {
    std::erase_if(profile_.launches, [&](const ProfiledLaunch& launch) {
      const std::string why = obstacle(launch);
      if (!why.empty()) ++profile_.left_out[why];
      return !why.empty();
    });
  }

  void keep_named() {
    if (selection_.kernel.empty()) return;
    const NamePattern pattern(selection_.kernel);
    std::vector<std::int8_t> known(profile_.texts.size(), -1);
    keep("launches whose names --kernel does not match, and copies", [&](const ProfiledLaunch& launch) {
      if (launch.work != ProfiledWork::kernel) return false;
      std::int8_t& matches = known[launch.name];
      if (matches < 0) matches = pattern.is_in(profile_.texts[launch.name]) ? 1 : 0;
      return matches == 1;
    });
  }

  /// If only some launches have times, the others are left out: no time is invented.
  ProfiledTimes keep_timed() {
    const auto& launches = profile_.launches;
    ProfiledTimes times;
    times.has_durations = std::any_of(launches.begin(), launches.end(),
                                      [](const ProfiledLaunch& launch) { return launch.duration.has_value(); });
    times.has_starts = times.has_durations && std::any_of(launches.begin(), launches.end(),
                                                          [](const auto& launch) { return launch.start.has_value(); });
    if (times.has_durations)
      keep("launches without a duration, where others have one",
           [](const ProfiledLaunch& launch) { return launch.duration.has_value(); });
    if (!times.has_starts) return times;
    keep("launches without a start, where others have one",
         [](const ProfiledLaunch& launch) { return launch.start.has_value(); });
    std::stable_sort(profile_.launches.begin(), profile_.launches.end(),
                     [](const ProfiledLaunch& a, const ProfiledLaunch& b) { return *a.start < *b.start; });
    return times;
  }

  void keep_top(const ProfiledTimes& times) {
    if (!selection_.top) return;
    std::map<std::uint32_t, Int128> time_of;  // by name
    for (const ProfiledLaunch& launch : profile_.launches)
      if (launch.work == ProfiledWork::kernel)
        time_of[launch.name] += Int128{times.has_durations ? *launch.duration : 1} * Int128{launch.count};
    std::vector<std::pair<Int128, std::uint32_t>> ranked;
    for (const auto& [name, time] : time_of) ranked.emplace_back(-time, name);
    std::sort(ranked.begin(), ranked.end());
    std::set<std::uint32_t> chosen;
    for (std::size_t i = 0; i < ranked.size() && i < *selection_.top; ++i) chosen.insert(ranked[i].second);
    keep("launches of kernels that are not among the first --top", [&](const ProfiledLaunch& launch) {
      return launch.work != ProfiledWork::kernel || chosen.contains(launch.name);
    });
  }

  Profile& profile_;
  const ProfileSelection& selection_;
};

}  // namespace

std::uint32_t main_device(const Profile& profile) {
  std::map<std::uint32_t, std::pair<Int128, std::uint64_t>> use;  // by device: time, launches
  for (const ProfiledLaunch& launch : profile.launches) {
    if (launch.work != ProfiledWork::kernel) continue;
    auto& [time, count] = use[launch.device];
    time += Int128{launch.duration.value_or(0)} * Int128{launch.count};
    count += launch.count;
  }
  if (use.empty()) refuse_profile(profile, "holds no launch of a kernel" + left_out_text(profile));
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(use.begin(), use.end(), less)->first;
}

ProfiledTimes choose_launches(Profile& profile, std::uint32_t device, const ProfileSelection& selection) {
  return LaunchChooser(profile, selection).choose(device);
}

namespace {

constexpr std::size_t kLongKey = 64;

/// Shortens template arguments: `reduce_kernel<...>` for `reduce_kernel<512, 1, ReduceOp<float>>`.
std::string without_template_arguments(const std::string& name) {
  const std::size_t open = name.find('<');
  return open == std::string::npos || open == 0 ? name : name.substr(0, open) + "<...>";
}

std::string cut_key(std::string key) {
  if (key.size() <= kLongKey) return key;
  std::size_t end = kLongKey - 3;
  while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0U) == 0x80U) --end;  // do not split a character
  return key.substr(0, end) + "...";
}

bool ends_in_number(const std::string& key) {
  const std::size_t last = key.find_last_not_of("0123456789");
  return last != std::string::npos && last + 1 < key.size() && key[last] == '#';
}

std::string short_profile_key(const std::string& full) {
  const std::string_view begin = std::string_view(full).substr(0, 4'000);
  // The type of a lambda's function is part of its name.
  std::string name = begin.find("lambda") == std::string_view::npos ? without_signature(begin) : std::string(begin);
  for (const std::string_view type : {"void ", "at::native::", "(anonymous namespace)::"})
    if (std::string_view(name).starts_with(type)) name.erase(0, type.size());
  if (name.size() > kLongKey && name.find("lambda") == std::string::npos) name = without_template_arguments(name);
  std::string key = cut_key(printable(name));
  if (key.empty() || begins_as_formula(key)) key = "kernel " + key;
  if (ends_in_number(key) || key == "copy") key += " kernel";
  return key;
}

}  // namespace

std::vector<std::string> profile_keys(const std::vector<std::string>& full_names) {
  std::vector<std::string> keys;
  std::set<std::string> taken;
  std::map<std::string, std::size_t> last;  // the highest number after a name
  for (const std::string& full : full_names) {
    const std::string own = short_profile_key(full);
    std::string unique = own;
    for (std::size_t& number = last[own]; !taken.insert(unique).second;)
      unique = fmt::format("{} ({})", own, std::max<std::size_t>(++number, 2));
    keys.push_back(unique);
  }
  return keys;
}

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
  LaunchClass launch_class;
  launch_class.shortest = duration(by_duration.front());
  launch_class.longest = duration(by_duration.back());
  launch_class.median = duration(by_duration[by_duration.size() / 2]);
  std::sort(by_duration.begin(), by_duration.end());
  launch_class.launches = std::move(by_duration);
  return launch_class;
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
