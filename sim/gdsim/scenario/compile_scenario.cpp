#include <gdsim/scenario/compile_scenario.hpp>

#include <charconv>

namespace gdsim {

Compiled compile_scenario(const Scenario& scenario) {
  if (!scenario.devices.empty())
    throw InputError(
        {Diagnostic{"several_devices",
                    "several devices run together here, which `gdsim run`, `check`, `explain`, `sweep`, `calibrate`, "
                    "`report` and `diff` can show; for all else write one of them as `device:`, without `devices:`",
                    scenario.file,
                    0,
                    0,
                    {}}});
  return compile_in_place(scenario.device, scenario.dispatch, scenario.workload).value();
}

RunOptions run_options_of(const Scenario& scenario, std::uint64_t number) {
  RunOptions options;
  options.min_phase = scenario.min_phase;
  options.seed_offset = number;
  return options;
}

std::vector<Compiled> compile_devices(const Scenario& scenario) {
  std::vector<Compiled> compiled;
  for (const Scenario& device_scenario : scenario.devices) compiled.push_back(compile_scenario(device_scenario));
  return compiled;
}

namespace {

/// The object of an issue, `kernels[2]`, and its field.
struct Subject {
  const YamlNode* node = nullptr;  ///< null if it was not written
  std::string field;
};

/// Returns the value at the position in a mapping or a list, or null if there is none.
const YamlNode* item_of(const YamlNode* list, std::size_t index) {
  if (list == nullptr) return nullptr;
  if (list->is_mapping()) return index < list->entries.size() ? &list->entries[index].value : nullptr;
  return index < list->items.size() ? &list->items[index] : nullptr;
}

Subject subject_of(std::string_view path, const YamlNode& root, const std::vector<std::size_t>& launch_items) {
  const std::size_t end = path.find_first_of("[.");
  const std::string_view part = path.substr(0, end);
  Subject subject{root.find(part), {}};
  std::string_view rest = end == std::string_view::npos ? std::string_view() : path.substr(end);
  if (rest.starts_with('[')) {
    std::size_t index = 0;
    std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
    if (part == "launches" && index < launch_items.size()) index = launch_items[index];
    subject.node = item_of(subject.node, index);
    rest.remove_prefix(rest.find(']') + 1);
  }
  if (rest.starts_with('.')) rest.remove_prefix(1);
  subject.field = dotted(rest);
  return subject;
}

/// ` (lines 11, 14)`: the lines of all participants of the issue.
std::string lines_of(const Issue& issue, const YamlNode& root, const std::vector<std::size_t>& launch_items) {
  std::vector<std::uint32_t> lines;
  for (const std::string& other : issue.others) {
    const YamlNode* node = subject_of(other, root, launch_items).node;
    if (node != nullptr && (lines.empty() || lines.back() != node->mark.line)) lines.push_back(node->mark.line);
  }
  std::string text;
  for (const std::uint32_t line : lines) text += (text.empty() ? "" : ", ") + std::to_string(line);
  return lines.empty() ? text : (lines.size() == 1 ? " (line " : " (lines ") + text + ")";
}

}  // namespace

std::string dotted(std::string_view path) {
  std::string text;
  for (const char c : path)
    if (c != ']') text += c == '[' ? '.' : c;
  return text;
}

void place_issues(const Issues& issues, const YamlNode& root, const std::vector<std::size_t>& launch_items,
                  Diagnostics& placed) {
  for (const Issue& issue : issues) {
    const Subject subject = subject_of(issue.path, root, launch_items);
    const YamlNode* device = root.find("device");
    const auto place = issue.is_about_name ? key_mark_of : mark_of;
    placed.add(subject.node != nullptr ? place(*subject.node, subject.field)
               : device != nullptr     ? device->mark
                                       : root.mark,
               subject.field + ": " + issue.message + lines_of(issue, root, launch_items), issue.code);
  }
}

}  // namespace gdsim
