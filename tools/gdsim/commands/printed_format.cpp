#include "commands/printed_format.hpp"

#include "commands/devices_output.hpp"
#include "options/options.hpp"

#include <gdsim/base/near_names.hpp>
#include <gdsim/base/printable.hpp>

#include <string_view>
#include <vector>

namespace gdsim::cli {

Format printed_format(const std::string& name) {
  std::vector<Format> formats = built_in_formats();
  for (const Format& format : export_formats()) formats.push_back(format);
  std::vector<std::string_view> names;
  for (const Format& format : formats) {
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
