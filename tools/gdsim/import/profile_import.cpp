#include "import/profile_import.hpp"

#include "compiled/compiled_input.hpp"
#include "import/import_output.hpp"
#include "import/profile_device.hpp"
#include "terminal/log.hpp"
#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/read_profile.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

std::string launches_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " launch" : " launches");
}

std::optional<Duration> time_option(const Options& options, std::string_view name) {
  const auto text = options.value(name);
  if (!text) return std::nullopt;
  const Parsed<Duration> time = parse_duration(*text);
  if (!time.value) throw UsageError(fmt::format("--{}: {} {}", name, in_quotes(*text), time.problem));
  return time.value;
}

ProfileSelection selection_of(const Options& options) {
  ProfileSelection selection;
  selection.kernel = options.value("kernel").value_or("");
  selection.from = time_option(options, "from");
  selection.to = time_option(options, "to");
  selection.top = count_option(options, "top");
  return selection;
}

Merging merging_of(const Options& options) {
  if (options.has("exact") && options.has("merge")) throw UsageError("--exact and --merge exclude each other");
  if (options.has("exact")) return Merging::one_by_one;
  return options.has("merge") ? Merging::by_shape : Merging::close;
}

/// Reads `--devices` and `--link`. Returns nullopt if the scenario has one device.
std::optional<PlannedDevices> devices_of(const Options& options) {
  const auto count = count_option(options, "devices");
  const auto link = options.value("link");
  if (link && !count) throw UsageError("--link needs --devices N");
  if (!count) return std::nullopt;
  constexpr std::uint64_t most = 64;
  if (*count < 2 || *count > most)
    throw UsageError(fmt::format("--devices is {}; a scenario of several devices has 2 to {}", *count, most));
  PlannedDevices devices{*count};
  if (!link) return devices;
  const std::size_t comma = link->find(',');
  const auto bandwidth = parse_bandwidth(link->substr(0, comma));
  const auto latency = parse_duration(comma == std::string::npos ? "" : link->substr(comma + 1));
  if (!bandwidth.value || !latency.value)
    throw UsageError("--link is " + in_quotes(*link) +
                     "; a bandwidth and a latency are needed, as in --link 370GB/s,3.4us");
  devices.link = PlannedLink{*bandwidth.value, *latency.value};
  return devices;
}

/// Returns the profile with launches, preferably one with starts, and the facts that the other files add to it.
Profile read_all(const std::vector<ProfileInput>& inputs) {
  std::vector<Profile> profiles;
  for (const ProfileInput& input : inputs) profiles.push_back(read_profile(input));
  const auto rank = [](const Profile& profile) {
    const auto has_start = [](const ProfiledLaunch& launch) { return launch.start.has_value(); };
    if (std::any_of(profile.launches.begin(), profile.launches.end(), has_start)) return 0;
    return profile.launches.empty() && profile.left_out.empty() ? 2 : 1;
  };
  std::stable_sort(profiles.begin(), profiles.end(),
                   [&](const Profile& a, const Profile& b) { return rank(a) < rank(b); });
  Profile profile = std::move(profiles.front());
  for (std::size_t i = 1; i < profiles.size(); ++i) join_profile(profile, std::move(profiles[i]));
  apply_properties(profile);
  return profile;
}

/// Plans; shows on a terminal how many of the kernels have been fitted.
ProfilePlan plan_with_progress(CommandContext& context, Profile& profile, DeviceSpec& device,
                               const ProfiledTimes& times, Merging merging) {
  if (!is_terminal(STDERR_FILENO)) return plan_profile(profile, device, times, merging, context.run_options.stop);
  CountProgress progress("kernels");
  return plan_profile(profile, device, times, merging, context.run_options.stop,
                      [&](std::uint64_t done, std::uint64_t all) { progress.show(done, all); });
}

void report(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device) {
  std::uint64_t kernels = 0;
  std::uint64_t copies = 0;
  for (std::size_t i = 0; i < plan.launches.size(); ++i)
    (!plan.workload.launches[i].is_kernel() ? copies : kernels) += plan.launches[i].count;
  log_report(fmt::format("read: {} ({}): {}, {} in the scenario{}", profile.file, profile.format,
                         launches_text(kernels), counted(plan.kernels.size(), "kernel"),
                         copies == 0   ? ""
                         : copies == 1 ? "; 1 copy"
                                       : fmt::format("; {} copies", copies)));
  log_report("device: " + device_value(device, plan.overrides).line());
  for (const std::string& comment : device.comments) log_report("device: " + comment);
  for (const DeviceOverride& one : plan.overrides) log_report(fmt::format("device: {}: {}", one.key, one.why));
  for (const auto& [reason, count] : profile.left_out) log_report(fmt::format("left out: {}: {}", reason, count));
  for (const std::vector<std::string>* notes : {&profile.notes, &plan.notes})
    for (const std::string& note : *notes) log_report("note: " + note);
  if (!plan.has_durations)
    log_report("note: the file holds no times; put steps in the place of `program: placeholder`");
  if (plan.has_starts && !plan.worst_begin.empty()) log_report("largest deviation of a begin: " + plan.worst_begin);
  if (plan.occupancy)
    log_report(fmt::format("achieved occupancy: measured {} %, simulated {} %",
                           to_text(Decimal{plan.occupancy->measured, -2}),
                           to_text(Decimal{plan.occupancy->simulated, -2})));
  if (!plan.worst.empty()) log_report("largest deviation of a launch: " + plan.worst);
  if (plan.gaps > 0)
    log_report(fmt::format("known gaps: {} of {} begin or last more than 1 % otherwise than measured", plan.gaps,
                           launches_text(plan.launches.size())));
  if (2 * plan.gaps > plan.launches.size())
    log_warning(
        "most launches do not begin or last as measured: `gdsim check` passes, because it expects none of these");
}

}  // namespace

std::string reference_seen_from(const std::string& device, const std::string& output) {
  const bool is_path = device.find('/') != std::string::npos || device.ends_with(".yaml");
  if (!is_path || output == "-" || fs::path(device).is_absolute()) return device;
  std::error_code error;
  const fs::path relative = fs::relative(device, fs::absolute(output).parent_path(), error);
  return error || relative.empty() ? device : relative.string();
}

ExitStatus import_profile(CommandContext& context, const std::vector<ProfileInput>& inputs, ModelLibrary& models,
                          SourceFiles& sources) {
  const Options& options = context.options;
  const ProfileSelection selection = selection_of(options);
  const Merging merging = merging_of(options);
  const std::optional<PlannedDevices> devices = devices_of(options);
  const std::string output = options.value("output").value_or("-");
  Profile profile = read_all(inputs);
  const std::uint32_t device = main_device(profile);
  ChosenDevice chosen =
      choose_device(profile, profile.texts[device], options.value("device").value_or(""), models, sources);
  const ProfiledTimes times = choose_launches(profile, device, selection);
  ProfilePlan plan = plan_with_progress(context, profile, chosen.spec, times, merging);
  if (devices) plan_devices(profile, *devices, plan);
  plan.title = fmt::format("{} of {} on {}", launches_text(plan.launches.size()),
                           fs::path(profile.file).filename().string(), chosen.spec.id);
  if (devices) plan.title += fmt::format(", on each of {}", devices->count);
  ScenarioDevice written = chosen.written;
  written.reference = reference_seen_from(written.reference, output);
  write_imported(context, [&](Sink& sink) { write_profile_scenario(profile, plan, written, sink); });
  report(profile, plan, written);
  return ExitStatus::done;
}

}  // namespace gdsim::cli
