#include "cases/printed_format.hpp"

#include "cases/devices_output.hpp"
#include "options/options.hpp"

#include <gdsim/base/text.hpp>

#include <string_view>
#include <vector>

namespace gdsim::cli {

namespace {

std::vector<Format> printed_formats() {
  std::vector<Format> formats = built_in_formats();
  for (const Format& format : export_formats()) formats.push_back(format);
  return formats;
}

/// Returns the runs that have a table of these data, as words before its name; empty: all runs.
std::string_view runs_with(Keeps keeps) {
  if (keeps == Keeps::core_groups) return "of core groups ";
  if (keeps == Keeps::processes) return "under preemption ";
  return keeps == Keeps::repetitions ? "of a repeated run " : "";
}

}  // namespace

std::string printed_format_list() {
  std::string list;
  std::string_view before;
  for (const Format& format : built_in_formats()) {
    const std::string_view runs = runs_with(format.keeps);
    if (!list.empty()) list += runs == before ? ", " : "; " + std::string(runs);
    list += format.name;
    before = runs;
  }
  return list + "; block-times (JSON of UNC's cuda_scheduling_examiner); on NVIDIA ncu";
}

std::string printed_format_names() {
  std::string names;
  for (const Format& format : printed_formats()) names.append(names.empty() ? "" : " ").append(format.name);
  return names;
}

Format printed_format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Format& format : printed_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw UsageError("--print is " + in_quotes(name) + "; " + known_names(name, names));
}

std::optional<std::string> lacks(const Scenario& scenario, const Format& format) {
  if (format.keeps == Keeps::repetitions && scenario.repeat <= 1) return "`repeat:` in the scenario";
  if (format.keeps == Keeps::processes && !scenario.dispatch.preemption)
    return "`preemption` in the rules of dispatch: `gdsim help scenario`";
  if (is_of_some_device(format, scenario)) return std::nullopt;
  if (format.keeps == Keeps::core_groups)
    return "a device with `core_groups`, which " + in_quotes(scenario.device.id) + " does not have";
  return "a device of the vendor " + in_quotes(format.vendor) + ", whose tool has these metrics; " +
         in_quotes(scenario.device.id) + " is of " + in_quotes(scenario.device.vendor) + ": use --print launches";
}

}  // namespace gdsim::cli
