#include "mcp/mcp_tools.hpp"

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>

namespace gdsim::cli {
namespace {

constexpr std::string_view kScenario = "scenario";
constexpr std::string_view kFile = "file";

const McpArgument kScenarioText{kScenario, McpUse::input,
                                "The text of a scenario in YAML. Either this or `file` is required."};
const McpArgument kScenarioFile{kFile, McpUse::input, "The path of a scenario file."};
const McpArgument kSet{"set", McpUse::repeated, "Values that replace values of the scenario, as in `local=128`."};
const McpArgument kCase{"case", McpUse::option, "The one case of the scenario that runs."};

const std::vector<McpTool>& tools() {
  static const std::vector<McpTool> all{
      {"occupancy",
       "How many work-groups (blocks) of a kernel fit on a core (SM, CU, Xe-core), what limits them, and the smallest "
       "change that fits one more.",
       {{"device", McpUse::option, "The name of a GPU, as in `h100-sxm`.", true},
        {"local", McpUse::option, "Work-items of a work-group: threads of a block.", true},
        {"sub_group", McpUse::option, "Work-items of a sub-group, where the device has several sizes."},
        {"registers", McpUse::option, "Registers of a work-item; on Intel, of a thread."},
        {"slm", McpUse::option, "Shared memory of a work-group, as in `48 KiB`."},
        {"barriers", McpUse::option, "Barrier registers of a work-group."}},
       {"--format", "json"}},
      {"run",
       "Simulates a scenario: how full the GPU is at every moment, how long it takes, and what decides that.",
       {kScenarioText, kScenarioFile, kSet, kCase},
       {"--print", "summary"}},
      {"explain",
       "Why a scenario takes so long, and what would help: further runs, each with one change.",
       {kScenarioText, kScenarioFile, kSet, kCase},
       {"--format", "json"}},
      {"sweep",
       "Runs a scenario at many points and ranks them.",
       {kScenarioText,
        kScenarioFile,
        {"vary", McpUse::repeated, "Values to try, as in `local=64,128,256`.", true},
        kSet,
        kCase},
       {"--format", "json"}},
      {"import",
       "Makes a scenario of a profile (Nsight Systems, Nsight Compute, Kineto, rocprof, unitrace) or of a compiled "
       "kernel.",
       {{kFile, McpUse::input, "The path of the profile, cubin, PTX, or compiler's output.", true},
        {"device", McpUse::option, "The GPU on which the scenario shall run."}},
       {}}};
  return all;
}

std::string option_name(std::string_view name) {
  std::string option = "--" + std::string(name);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

std::string text_of(const McpArgument& argument, const YamlNode& value) {
  if (!value.is_scalar())
    throw InputError("arguments: " + std::string(argument.name) + " is " + describe(value) +
                     "; a text or a number is needed");
  return value.text;
}

void add_argument(const McpArgument& argument, const YamlNode& value, McpCall& call) {
  const std::string option = option_name(argument.name);
  if (argument.use == McpUse::repeated && value.is_sequence()) {
    for (const YamlNode& item : value.items) {
      call.words.push_back(option);
      call.words.push_back(text_of(argument, item));
    }
  } else if (argument.use == McpUse::input) {
    // A name that begins with a minus would be an option.
    const bool is_text = argument.name == kScenario;
    if (is_text) call.standard_input = text_of(argument, value);
    const std::string path = is_text ? "-" : text_of(argument, value);
    call.words.push_back(!is_text && path.starts_with('-') ? "./" + path : path);
  } else {
    call.words.push_back(option);
    call.words.push_back(text_of(argument, value));
  }
}

void require_known(const McpTool& tool, const YamlNode& arguments) {
  for (const YamlEntry& entry : arguments.entries) {
    const bool is_known = std::any_of(tool.arguments.begin(), tool.arguments.end(),
                                      [&](const McpArgument& one) { return one.name == entry.key; });
    if (is_known) continue;
    std::vector<std::string_view> names;
    for (const McpArgument& one : tool.arguments) names.push_back(one.name);
    throw InputError("arguments: " + std::string(tool.name) + " has no argument " + in_quotes(entry.key) + "; " +
                     known_names(entry.key, names));
  }
}

}  // namespace

std::span<const McpTool> mcp_tools() { return tools(); }

McpCall call_of(const McpTool& tool, const YamlNode* arguments) {
  McpCall call;
  call.words.emplace_back(tool.name);
  if (arguments != nullptr) require_known(tool, *arguments);
  std::size_t inputs = 0;
  bool takes_input = false;
  for (const McpArgument& argument : tool.arguments) {
    const YamlNode* value = arguments != nullptr ? arguments->find(argument.name) : nullptr;
    takes_input = takes_input || argument.use == McpUse::input;
    if (value == nullptr && argument.is_required)
      throw InputError("arguments: " + std::string(tool.name) + " needs " + in_quotes(argument.name) + ": " +
                       std::string(argument.sentence));
    if (value == nullptr) continue;
    if (argument.use == McpUse::input) ++inputs;
    add_argument(argument, *value, call);
  }
  if (takes_input && inputs != 1)
    throw InputError("arguments: " + std::string(tool.name) + " needs either `scenario`, a text, or `file`, a path");
  call.words.insert(call.words.end(), tool.options.begin(), tool.options.end());
  return call;
}

}  // namespace gdsim::cli
