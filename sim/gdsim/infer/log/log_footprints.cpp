#include <gdsim/infer/log/placement_log.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/fit/limits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of cores, ten times that of any GPU; the memory for each rule grows with it.
constexpr std::uint32_t kMaxCores = 4096;

/// The maximum of the session's work-groups that a core held at once, and whether each used core held that number.
struct Held {
  std::uint32_t most = 0;
  bool is_even = false;
};

/// Returns the maximum weight that each core held at once. A work-group has the weight of its launch for its duration.
/// In a log of threads, each thread has that weight, since threads end at different times.
std::vector<std::uint64_t> most_held(const LogSession& session, LogTime time,
                                     const std::vector<std::int64_t>& weights) {
  struct Change {
    std::uint32_t core;
    std::int64_t at;
    std::int64_t by;
  };
  std::vector<Change> changes;
  for (std::size_t i = 0; i < session.launches.size(); ++i)
    for (const LoggedGroup& group : session.launches[i].groups) {
      if (time != LogTime::none && group.end == group.start) continue;  // held nothing for any time
      const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, group.thread_ends.size()));
      changes.push_back({group.core, group.start, count * weights[i]});
      if (time != LogTime::none && count == 1) changes.push_back({group.core, group.end, -weights[i]});
      for (const std::int64_t end : group.thread_ends) changes.push_back({group.core, end, -weights[i]});
    }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tuple(a.core, a.at, a.by) < std::tuple(b.core, b.at, b.by);
  });
  std::vector<std::uint64_t> most(session.cores, 0);
  std::int64_t held = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i > 0 && changes[i].core != changes[i - 1].core) held = 0;
    held += changes[i].by;
    std::uint64_t& of_core = most[changes[i].core];
    of_core = std::max(of_core, static_cast<std::uint64_t>(std::max<std::int64_t>(held, 0)));
  }
  return most;
}

Held held_at_once(const LogSession& session, LogTime time) {
  const std::vector<std::int64_t> ones(session.launches.size(), 1);
  std::vector<std::uint64_t> most = most_held(session, time, ones);
  // A trace of threads has one launch.
  const std::uint64_t threads = std::max<std::uint64_t>(1, session.launches.back().groups.front().thread_ends.size());
  for (std::uint64_t& held : most) held = (held + threads - 1) / threads;
  Held found;
  found.most = std::max(1U, static_cast<std::uint32_t>(*std::max_element(most.begin(), most.end())));
  found.is_even = std::all_of(most.begin(), most.end(), [&](std::uint64_t held) { return held == found.most; });
  return found;
}

/// Returns a kernel whose work-groups have the launch's needs.
Kernel kernel_of(const LoggedLaunch& launch, const DeviceSpec& device) {
  Kernel kernel;
  kernel.name = launch.name;
  kernel.sub_group = device.sub_group_sizes.front();
  const std::uint64_t items = launch.work_items.value_or(std::uint64_t{launch.threads.value_or(1)} * kernel.sub_group);
  kernel.range = {{1, 1, items * launch.grid}, {1, 1, items}};
  kernel.needs.registers = launch.registers.value_or(0);
  kernel.needs.slm.total = launch.shared.value_or(Bytes{});
  return kernel;
}

bool is_described(const LoggedLaunch& launch) { return launch.work_items || launch.threads; }

/// Returns a core of `parts` equal parts, of which a work-group of launch i takes `taken[i]`.
LogFootprints of_parts(const LogSession& session, const DeviceSpec& device, std::uint32_t parts,
                       const std::vector<std::uint32_t>& taken) {
  LogFootprints answer;
  DeviceSpec& plain = answer.device;
  plain.id = device.id;
  plain.cores = device.cores;
  plain.core_groups = device.core_groups;
  plain.tie_order = device.tie_order;
  plain.engines_per_core = 1;
  plain.contexts_per_engine = parts;
  plain.sub_group_sizes = {1};
  plain.max_work_group_size = parts;
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    Kernel kernel;
    kernel.range = {{1, 1, taken[i]}, {1, 1, taken[i]}};
    kernel.sub_group = 1;
    answer.of_launch.push_back(make_footprint(kernel, plain, taken[i]));
  }
  return answer;
}

/// Describes a core that holds `count` work-groups, whatever their needs are.
LogFootprints slots(const LogSession& session, const DeviceSpec& device, std::uint32_t count) {
  return of_parts(session, device, count, std::vector<std::uint32_t>(session.launches.size(), 1));
}

/// Describes a core by the maximum number of work-groups of each launch that the log shows at once on one core. Returns
/// nullopt if these shares of a core do not explain the launches that the log shows together.
std::optional<LogFootprints> shares(const LogSession& session, LogTime time, const DeviceSpec& device) {
  constexpr std::uint64_t max_parts = 10'000;
  std::vector<std::uint32_t> counts;
  std::uint64_t parts = 1;
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    std::vector<std::int64_t> alone(session.launches.size(), 0);
    alone[i] = 1;
    const std::vector<std::uint64_t> most = most_held(session, time, alone);
    counts.push_back(std::max(1U, static_cast<std::uint32_t>(*std::max_element(most.begin(), most.end()))));
    parts = std::lcm(parts, std::uint64_t{counts.back()});
    if (parts > max_parts) return std::nullopt;
  }
  std::vector<std::uint32_t> taken;
  std::vector<std::int64_t> weights;
  for (const std::uint32_t count : counts) {
    taken.push_back(static_cast<std::uint32_t>(parts) / count);
    weights.push_back(taken.back());
  }
  const std::vector<std::uint64_t> most = most_held(session, time, weights);
  if (*std::max_element(most.begin(), most.end()) > parts) return std::nullopt;
  return of_parts(session, device, static_cast<std::uint32_t>(parts), taken);
}

/// Applies the device's allocation rules. Stops with problems if a core can never hold some work-group.
LogFootprints by_device(const LogSession& session, const DeviceSpec& device, Diagnostics& problems) {
  LogFootprints answer{device, {}, true};
  for (const LoggedLaunch& launch : session.launches) {
    const Kernel kernel = kernel_of(launch, device);
    for (const Refusal& refusal : core_refusals(kernel, device))
      problems.add(launch.mark, printable(launch.name) + ": " + refusal.message, refusal.code);
    if (!problems.empty()) return answer;
    const std::uint64_t items = kernel.range.group_size();
    const auto threads = static_cast<std::uint32_t>((items + kernel.sub_group - 1) / kernel.sub_group);
    answer.of_launch.push_back(make_footprint(kernel, device, threads));
  }
  return answer;
}

/// Returns the maximum of the session's work-groups that a core holds by the device's rules.
std::uint64_t fit_of(const LogFootprints& footprints) {
  std::uint64_t most = 0;
  for (const Footprint& footprint : footprints.of_launch) most = std::max(most, how_many_fit(footprint, Amounts{}));
  return most;
}

}  // namespace

DeviceSpec device_of_log(const DeviceSpec& model, PlacementLog& log, const SourceText& source, Diagnostics& problems) {
  DeviceSpec device = model;
  std::uint32_t cores = 0;
  for (const LogSession& session : log.sessions) cores = std::max(cores, session.cores);
  if (log.is_of_shader_engine) {
    device.cores = cores;
    device.core_groups.clear();
    if (log.shader_arrays > 1) device.core_groups.push_back({"shader array", log.shader_arrays, {}});
    device.tie_order = {};
  } else if (model.kind == DeviceKind::family) {
    device.cores = cores;
    device.tie_order = {};
    log.notes.push_back(
        fmt::format("{} is a family; it is taken with the {} cores that the log shows", model.id, cores));
  }
  if (device.cores > kMaxCores)
    problems.add({&source, 1, 1},
                 fmt::format("rules are inferred for at most {} cores, and there are {}", kMaxCores, device.cores));
  if (cores > device.cores)
    problems.add({&source, 1, 1},
                 fmt::format("the log has {} {}, but {} has {} cores, numbered from 0; name the device "
                             "with --device, or one of its family",
                             printable(log.core_column), cores - 1, device.id, device.cores));
  return device;
}

bool holds_more_than_fit(const LogSession& session, LogTime time, const DeviceSpec& device) {
  Diagnostics problems;
  if (!std::all_of(session.launches.begin(), session.launches.end(), is_described)) return false;
  const LogFootprints footprints = by_device(session, device, problems);
  return problems.empty() && held_at_once(session, time).most > fit_of(footprints);
}

LogFootprints footprints_of(const LogSession& session, LogTime time, const DeviceSpec& device, Admission admission,
                            std::vector<std::string>& notes, Diagnostics& problems) {
  const bool all_described = std::all_of(session.launches.begin(), session.launches.end(), is_described);
  const Held held = held_at_once(session, time);
  constexpr std::size_t max_apart = 64;  // launches of which each is evaluated by itself
  if (!all_described && time != LogTime::none && session.launches.size() > 1 && session.launches.size() <= max_apart)
    if (auto by_launch = shares(session, time, device)) {
      notes.push_back(
          "the log does not say how large work-groups are: a core is taken to hold as many of each launch as "
          "it shows of that launch on one at once");
      return *std::move(by_launch);
    }
  if (!all_described && time != LogTime::none) {
    notes.push_back(
        fmt::format("the log does not say how large work-groups are: a core is taken to hold {}, the most "
                    "that it shows on one at once",
                    held.most));
    return slots(session, device, held.most);
  }
  if (!all_described)
    notes.push_back("the log does not say how large work-groups are: each is taken as one " + device.terms.thread +
                    "; a column `threads` says it");
  LogFootprints answer = by_device(session, device, problems);
  if (!problems.empty() || time == LogTime::none || admission == Admission::partial) return answer;
  const std::uint64_t fit = fit_of(answer);
  const bool is_complete = std::all_of(session.launches.begin(), session.launches.end(),
                                       [](const LoggedLaunch& one) { return one.registers && one.shared; });
  if (held.most > fit || (!is_complete && held.is_even && held.most < fit)) {
    notes.push_back(
        fmt::format("by what the log says of them, {} work-groups fit on a core of {}; it shows {} at once "
                    "at most, which is taken instead",
                    fit, device.id, held.most));
    return slots(session, device, held.most);
  }
  return answer;
}

}  // namespace gdsim
