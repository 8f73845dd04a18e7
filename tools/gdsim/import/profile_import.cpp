#include "import/imports.hpp"

#include "compiled/compiled_input.hpp"
#include "terminal/log.hpp"
#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>
#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// The device of an imported profile: its reference in the scenario, and its specification.
struct ChosenDevice {
  ScenarioDevice written;
  DeviceSpec spec;
};

/// Returns the words of a driver's name for a product, in lower case: `a100`, `sxm4`, `80gb`.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back().push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  std::erase(words, "");
  return words;
}

/// One call of choose_device().
class DeviceChooser {
 public:
  DeviceChooser(const Profile& profile, const std::string& key, ModelLibrary& models, SourceFiles& sources)
      : profile_(profile), recorded_on_(device_of(profile, key)), models_(models), sources_(sources) {}

  ChosenDevice choose(const std::string& wanted) {
    if (!wanted.empty()) return wanted_device(wanted);
    if (recorded_on_ != nullptr && !recorded_on_->name.empty())
      if (auto product = device_by_product()) return std::move(*product);
    if (auto family = device_by_family()) return std::move(*family);
    fail();
  }

 private:
  DeviceSpec read(const ScenarioDevice& device) {
    const SourceText& text = sources_.keep("the device of " + profile_.file, device_value(device, {}).line() + "\n");
    Diagnostics problems;
    std::optional<DeviceSpec> spec;
    if (const auto node = read_yaml(text, problems)) spec = read_device(*node, ".", models_, ValueReader(problems));
    problems.throw_if_any();
    if (!spec) throw InputError("the device " + in_quotes(device.reference) + " cannot be read");
    return std::move(*spec);
  }

  std::string recorded_on_text() const {
    if (recorded_on_ == nullptr) return "";
    std::string text = recorded_on_->name.empty() ? recorded_on_->family : recorded_on_->name;
    if (!recorded_on_->name.empty() && !recorded_on_->family.empty()) text += ", " + recorded_on_->family;
    if (recorded_on_->cores) text += fmt::format("{}{} cores", text.empty() ? "" : ", ", *recorded_on_->cores);
    return text;
  }

  ChosenDevice wanted_device(const std::string& wanted) {
    ChosenDevice chosen;
    chosen.written.reference = wanted;
    chosen.spec = read(chosen.written);
    const bool is_family = chosen.spec.kind == DeviceKind::family && chosen.spec.cores == 1;  // 1 is a placeholder
    if (is_family) {
      if (recorded_on_ == nullptr || !recorded_on_->cores || *recorded_on_->cores == 0)
        fail("--device " + wanted + " is a family, which has no core count, and the file gives none");
      add_counts(chosen, *recorded_on_->cores);
    }
    const std::string recorded_on = recorded_on_text();
    const std::string which = is_family
                                  ? "the device is the family of --device, with the number of cores that the file gives"
                                  : "the device is the one of --device";
    chosen.written.comments.push_back(
        which + (recorded_on.empty() ? "; the file names none" : "; the launches were measured on " + recorded_on));
    return chosen;
  }

  /// Returns the model that the product's name means, if it has the file's number of cores and size of memory. A name
  /// of several models, or a part of one's, means the only one with these numbers; else returns nullopt.
  std::optional<ChosenDevice> device_by_product() {
    const ModelMatch match = models_.match(recorded_on_->name);
    if (!match.is_certain() && match.fit != NameFit::part) return std::nullopt;
    std::vector<ChosenDevice> fitting;
    for (const std::string& name : match.names) {
      if (!may_have_memory(words_of(name))) continue;
      ChosenDevice chosen;
      chosen.written.reference = name;
      chosen.spec = read(chosen.written);
      if (chosen.spec.kind != DeviceKind::product || (recorded_on_->cores && chosen.spec.cores != *recorded_on_->cores))
        continue;
      fitting.push_back(std::move(chosen));
    }
    if (fitting.size() != 1 || (!match.is_certain() && !recorded_on_->cores && !recorded_on_->memory)) {
      for (const ChosenDevice& device : fitting) candidates_.push_back(device.written.reference);
      return std::nullopt;
    }
    fitting.front().written.comments.push_back("the file names the device: " + recorded_on_text());
    return std::move(fitting.front());
  }

  /// Returns true unless the model's name has another size of memory than the file's device.
  bool may_have_memory(const std::vector<std::string>& words) const {
    if (!recorded_on_->memory) return true;
    const std::uint64_t gigabytes = (*recorded_on_->memory + 2'000'000'000) / 1'000'000'000;
    return std::none_of(words.begin(), words.end(), [&](const std::string& word) {
      if (word.size() < 3 || !word.ends_with("gb") || word.find_first_not_of("0123456789") != word.size() - 2)
        return false;
      const std::uint64_t named = std::stoull(word.substr(0, std::min<std::size_t>(word.size() - 2, 6)));
      // Sizes within about a tenth are the same: names round.
      return named * 9 > gigabytes * 10 || named * 11 < gigabytes * 10;
    });
  }

  /// Returns the family that the file says, or that of a product which is known to have no model, with the number of
  /// cores that the file says, or that the product is known to have; nullopt if either is missing.
  std::optional<ChosenDevice> device_by_family() {
    if (recorded_on_ == nullptr) return std::nullopt;
    const ModelMatch match = models_.match(recorded_on_->name);
    const bool is_known = match.fit == NameFit::no_model;
    const std::string family = is_model(recorded_on_->family) ? recorded_on_->family
                               : is_known                     ? match.names.front()
                                                              : "";
    const std::uint32_t cores = recorded_on_->cores.value_or(is_known ? *match.cores : 0);
    if (family.empty() || cores == 0) return std::nullopt;
    ChosenDevice chosen;
    chosen.written.reference = family;
    add_counts(chosen, cores);
    chosen.written.comments.push_back(fmt::format(
        "no model is of {}: this is its family, with the number of cores that {}{}",
        recorded_on_->name.empty() ? "the product, which the file does not name" : recorded_on_->name,
        recorded_on_->cores ? "the file gives" : "this product has",
        recorded_on_->clock
            ? (recorded_on_->cores ? " and its clock" : " and the clock of the file")
            : "; without a clock, what the model counts in cycles (launch cost, recovery) is not in force"));
    return chosen;
  }

  /// Adds the numbers that the file gives to a family.
  void add_counts(ChosenDevice& chosen, std::uint32_t cores) {
    chosen.written.counts.emplace_back("cores", std::to_string(cores));
    if (recorded_on_->clock) chosen.written.counts.emplace_back("clock", to_text(*recorded_on_->clock));
    chosen.spec = read(chosen.written);
  }

  [[noreturn]] void fail() {
    const std::string recorded_on = recorded_on_text();
    if (recorded_on.empty()) fail("does not say on which device it was recorded");
    if (!candidates_.empty()) fail("was recorded on a device that matches several models (" + recorded_on + ")");
    if (is_model(recorded_on_->family))
      fail("was recorded on a device without a model (" + recorded_on +
           "); a model of its family exists, but the file gives no core count");
    fail("was recorded on a device without a model (" + recorded_on + ")");
  }

  bool is_model(const std::string& name) const {
    const std::vector<std::string> names = models_.names();
    return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Throws InputError that suggests a model: one that the product's name may mean, or one of its family or vendor.
  [[noreturn]] void fail(const std::string& reason) {
    std::vector<std::string> models = candidates_;
    if (models.empty() && recorded_on_ != nullptr && !recorded_on_->family.empty())
      models = models_.products_of(recorded_on_->family, recorded_on_->cores.value_or(0));
    if (models.empty()) models.push_back(product_of_vendor());
    std::string others;
    for (std::size_t i = 1; i < models.size(); ++i) others += (i == 1 ? " (or " : ", ") + models[i];
    if (!others.empty()) others += ")";
    throw InputError(
        {Diagnostic{"device",
                    reason + "; choose a model: --device " + models.front() + others + "; `gdsim devices` lists all",
                    profile_.file,
                    0,
                    0,
                    {}}});
  }

  /// Returns any product of the vendor that the file's words, or the tool that wrote it, indicate.
  std::string product_of_vendor() const {
    const std::vector<std::string> words =
        words_of(recorded_on_ == nullptr ? profile_.format
                                         : recorded_on_->name + " " + recorded_on_->family + " " + profile_.format);
    const auto says = [&](std::initializer_list<std::string_view> beginnings) {
      return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::any_of(beginnings.begin(), beginnings.end(),
                           [&](std::string_view beginning) { return word.starts_with(beginning); });
      });
    };
    if (says({"amd", "radeon", "instinct", "gfx", "roc"})) return "mi300x";
    if (says({"intel", "arc", "unitrace", "vtune"})) return "max-1550";
    return "a100-80gb";
  }

  const Profile& profile_;
  const ProfiledDevice* recorded_on_;
  ModelLibrary& models_;
  SourceFiles& sources_;
  std::vector<std::string> candidates_;  ///< models among which the file does not decide
};

/// Returns the device on which launches called `key` ran: `wanted` (--device) if it is not empty; else the model of the
/// product that the file names; else the family's model with the file's numbers. Throws InputError, naming --device, if
/// the file says too little.
ChosenDevice choose_device(const Profile& profile, const std::string& key, const std::string& wanted,
                           ModelLibrary& models, SourceFiles& sources) {
  return DeviceChooser(profile, key, models, sources).choose(wanted);
}

namespace fs = std::filesystem;

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
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    if (plan.workload.launches[i].is_kernel()) {
      kernels += plan.launches[i].count;
    } else {
      copies += plan.launches[i].count;
    }
  }
  log_report(fmt::format("read: {} ({}): {}, {} in the scenario{}", profile.file, profile.format,
                         counted(kernels, "launch"), counted(plan.kernels.size(), "kernel"),
                         copies == 0   ? ""
                         : copies == 1 ? "; 1 copy"
                                       : fmt::format("; {} copies", copies)));
  log_report("device: " + device_value(device, plan.overrides).line());
  for (const std::string& comment : device.comments) log_report("device: " + comment);
  for (const DeviceOverride& changed : plan.overrides)
    log_report(fmt::format("device: {}: {}", changed.key, changed.why));
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
                           counted(plan.launches.size(), "launch")));
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
  plan.title = fmt::format("{} of {} on {}", counted(plan.launches.size(), "launch"),
                           fs::path(profile.file).filename().string(), chosen.spec.id);
  if (devices) plan.title += fmt::format(", on each of {}", devices->count);
  ScenarioDevice written = chosen.written;
  written.reference = reference_seen_from(written.reference, output);
  write_imported(context, [&](Sink& sink) { write_profile_scenario(profile, plan, written, sink); });
  report(profile, plan, written);
  return ExitStatus::done;
}

}  // namespace gdsim::cli
