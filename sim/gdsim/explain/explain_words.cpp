#include <gdsim/explain/explain.hpp>

#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxKernelsNamed = 4;

/// 0 if the device refuses the kernel.
std::uint64_t threads_per_core(const Kernel& kernel, const DeviceSpec& device) {
  try {
    return occupancy_of(kernel, device).threads_per_core;
  } catch (const InputError&) {
    return 0;
  }
}

/// The kernels of one device of which more threads may be resident because of the change.
struct Gaining {
  std::vector<const Kernel*> fit_more;  ///< more of their threads fit on a core
  std::vector<const Kernel*> all;
};

Gaining gaining(const Scenario& device, const Scenario& changed) {
  Gaining found;
  found.all = own_launched_kernels(device.workload);
  for (const Kernel* kernel : found.all) {
    const auto number = static_cast<std::size_t>(kernel - device.workload.kernels.data());
    if (number < changed.workload.kernels.size() &&
        threads_per_core(changed.workload.kernels[number], changed.device) > threads_per_core(*kernel, device.device))
      found.fit_more.push_back(kernel);
  }
  return found;
}

/// The kernels that the caveat may be about, of all devices.
std::vector<const Kernel*> kernels_concerned(const Scenario& scenario, const Scenario& changed) {
  std::vector<const Kernel*> fit_more, all;
  const auto devices = devices_of(scenario);
  const auto devices_changed = devices_of(changed);
  for (std::size_t i = 0; i < devices.size() && i < devices_changed.size(); ++i) {
    const Gaining kernels = gaining(devices[i], devices_changed[i]);
    fit_more.insert(fit_more.end(), kernels.fit_more.begin(), kernels.fit_more.end());
    all.insert(all.end(), kernels.all.begin(), kernels.all.end());
  }
  return fit_more.empty() ? all : fit_more;
}

/// `a, b and 3 more`, each name once.
std::string names_of(const std::vector<const Kernel*>& kernels) {
  std::vector<std::string> names;
  for (const Kernel* kernel : kernels)
    if (std::find(names.begin(), names.end(), kernel->name) == names.end()) names.push_back(kernel->name);
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMaxKernelsNamed; ++i)
    text += (i > 0 ? ", " : "") + printable(names[i]);
  if (names.size() > kMaxKernelsNamed) text += fmt::format(" and {} more", names.size() - kMaxKernelsNamed);
  return text;
}

}  // namespace

std::optional<std::string> declared_caveat(const Scenario& scenario, const RunRecord& record, const Scenario& changed,
                                           const RunRecord& changed_record, const Terms& terms) {
  if (changed_record.duration() >= record.duration() || changed_record.peak_resident <= record.peak_resident)
    return std::nullopt;
  const std::vector<const Kernel*> concerned = kernels_concerned(scenario, changed);
  std::vector<const Kernel*> declared = concerned;
  std::erase_if(declared, [](const Kernel* kernel) { return !has_declared_durations(*kernel); });
  if (declared.empty()) return std::nullopt;
  const std::string doubt = "On hardware the saving may be smaller: ";
  const std::string growth = " do not grow when more " + terms.thread + "s are resident at once.";
  const bool is_alone = std::none_of(concerned.begin(), concerned.end(),
                                     [](const Kernel* kernel) { return has_computed_durations(*kernel); });
  if (is_alone && declared.size() == concerned.size()) return doubt + "declared durations" + growth;
  return doubt + "the declared durations of " + names_of(declared) + growth;
}

bool draws_at_random(const Scenario& scenario) {
  const auto devices = devices_of(scenario);
  return std::any_of(devices.begin(), devices.end(), [](const Scenario& device) {
    const std::vector<const Kernel*> kernels = launched_kernels(device.workload);
    return std::any_of(kernels.begin(), kernels.end(),
                       [](const Kernel* kernel) { return draw_in_force(*kernel).has_value(); });
  });
}

std::optional<std::string> seed_note(Duration baseline, std::span<const std::optional<Duration>> others,
                                     const Terms& terms) {
  Duration shortest = baseline, longest = baseline;
  const std::size_t count = others.size() + 1;
  for (const std::optional<Duration>& other : others) {
    if (!other) return std::nullopt;  // a bound leaves out the longest
    shortest = std::min(shortest, *other);
    longest = std::max(longest, *other);
  }
  if (count == 1) return std::nullopt;
  const std::string varying = capitalized(terms.work_group) + "s vary at random: ";
  if (shortest == longest) return varying + std::to_string(count) + " seeds give the same duration.";
  const std::string range = fmt::format("{}over {} seeds the run takes {} to {}", varying, count,
                                        to_rounded_text(shortest), to_rounded_text(longest));
  const auto apart = static_cast<UInt128>((longest - shortest).count) * 100;
  const auto whole = static_cast<UInt128>(baseline.count);
  if (apart * 10 < whole) return range + ", less than 0.1 % apart.";
  return fmt::format("{}; a difference of less than {} % may be chance.", range, to_fixed(Ratio{apart, whole}, 1));
}

namespace {

/// `the run takes 10 us, 49.9 % less`
std::string length_clause(const ChangedRun& run, const std::string& what_takes) {
  if (run.saves == 0) return what_takes + " as long";
  return fmt::format("{} {}, {} {}", what_takes, to_rounded_text(run.duration), saving_text(run.saves),
                     run.saves > 0 ? "less" : "more");
}

/// ` Without barriers, the run takes 10 us, 49.9 % less.`
std::string outcome_sentence(const ChangedRun& run, const Counterfactual& counterfactual,
                             const std::string& what_takes) {
  return " " + capitalized(counterfactual.how) + ", " + length_clause(run, what_takes) + ".";
}

/// `Tail: 1 of 529 blocks of k is left over for the last wave. That wave costs 49.9 % of the time. With all the work in
/// 528 blocks, the run takes 10.019 us.`, or that it does not help to spread its work.
std::string tail_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                          const std::string& what_takes) {
  if (run.saves <= 0)
    return counterfactual.subject +
           ". To spread the work of that wave over the other waves does not help: " + length_clause(run, what_takes) +
           ".";
  if (scenario.workload.kernels.size() > 1)
    return counterfactual.subject + "." + outcome_sentence(run, counterfactual, what_takes);
  std::string text = counterfactual.subject + ". That wave costs " + saving_text(run.saves) + " of the time.";
  const Kernel& kernel = scenario.workload.kernels.front();
  const auto tail = tail_of(kernel, scenario.device);
  if (tail)
    text += fmt::format(" With all the work in {}, {} {}.",
                        counted(tail->work_groups - tail->left_over, scenario.device.terms.work_group), what_takes,
                        to_rounded_text(run.duration));
  return text;
}

}  // namespace

std::string change_sentence(const ChangedRun& run, const Counterfactual& counterfactual, const Scenario& scenario,
                            const std::string& what_takes, bool is_fuller, const std::optional<std::string>& caveat) {
  std::string text = run.what == "no_tail"
                         ? tail_sentence(run, counterfactual, scenario, what_takes)
                         : counterfactual.subject + "." + outcome_sentence(run, counterfactual, what_takes);
  if (!run.artefact.empty()) text += " " + run.artefact;
  if (run.saves < 0 && run.artefact.empty() && is_fuller)
    text += " The changed run has more " + scenario.device.terms.thread +
            "s resident at once, and they share the same resources.";
  if (run.is_at_peak) text += " The run cannot be shorter: its arithmetic takes this long at the device's peak rate.";
  if (caveat) text += " " + *caveat;
  return text;
}

}  // namespace gdsim
