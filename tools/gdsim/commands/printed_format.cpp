#include "commands/printed_format.hpp"

#include "commands/devices_output.hpp"
#include "options/options.hpp"

#include <gdsim/base/near_names.hpp>
#include <gdsim/base/printable.hpp>

#include <string_view>
#include <vector>

namespace gdsim::cli {
namespace {

std::vector<Format> printed_formats() {
  std::vector<Format> formats = built_in_formats();
  for (const Format& format : export_formats()) formats.push_back(format);
  return formats;
}

/// Returns the words in help before formats that only some runs have; empty: all runs have them.
std::string_view condition_of(Keeps keeps) {
  switch (keeps) {
    case Keeps::core_groups: return "of core groups ";
    case Keeps::processes: return "under preemption ";
    case Keeps::repetitions: return "of a repeated run ";
    default: return {};
  }
}

std::string format_list() {
  std::string text;
  std::string_view condition;
  for (const Format& format : built_in_formats()) {
    const std::string_view own = condition_of(format.keeps);
    if (!text.empty()) text += own == condition ? ", " : "; ";
    if (own != condition) text += own;
    text += format.name;
    condition = own;
  }
  return text;
}

}  // namespace

const std::string& print_help() {
  static const std::string text =
      "one of them to standard output: " + format_list() + "; block-times (JSON of UNC's cuda_scheduling_examiner)";
  return text;
}

const std::string& print_choices() {
  static const std::string names = [] {
    std::string text;
    for (const Format& format : printed_formats()) text += (text.empty() ? "" : " ") + std::string(format.name);
    return text;
  }();
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
  if (format.keeps == Keeps::core_groups && !has_core_groups(scenario))
    return "a device with `core_groups`, which " + in_quotes(scenario.device.id) + " does not have";
  return std::nullopt;
}

}  // namespace gdsim::cli
