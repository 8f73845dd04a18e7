#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// What becomes of an argument of a tool on the command line.
enum class McpUse : std::uint8_t {
  option,    ///< `--name VALUE`
  repeated,  ///< a list: `--name VALUE` for each item
  input      ///< a text: standard input, named `-`; a path: the input file
};

/// An argument of a tool.
struct McpArgument {
  std::string_view name;  ///< `sub_group`, for the option `--sub-group`
  McpUse use = McpUse::option;
  std::string_view sentence;
  bool is_required = false;
};

/// A command of gdsim that an assistant can call.
struct McpTool {
  std::string_view name;                  ///< the command
  std::string_view sentence;              ///< what it answers
  std::vector<McpArgument> arguments;     ///< in the order of help
  std::vector<std::string_view> options;  ///< further words of the command line: `--format json`
};

/// Returns occupancy, run, explain, sweep and import.
std::span<const McpTool> mcp_tools();

/// A call of a tool as words of gdsim's command line.
struct McpCall {
  std::vector<std::string> words;
  std::string standard_input;
};

/// Returns the call. `arguments` is the mapping of the request, or null for none. Throws InputError for what is missing
/// or not known.
McpCall call_of(const McpTool& tool, const YamlNode* arguments);

}  // namespace gdsim::cli
