#include "options/command.hpp"
#include "output/sinks.hpp"
#include "terminal/program.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {
namespace {

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

/// A call of a tool as words of gdsim's command line.
struct McpCall {
  std::vector<std::string> words;
  std::string standard_input;
};

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
    const bool is_text = argument.name == kScenario;
    if (is_text) call.standard_input = text_of(argument, value);
    const std::string path = is_text ? "-" : text_of(argument, value);
    const bool looks_like_option = !is_text && path.starts_with('-');
    call.words.push_back(looks_like_option ? "./" + path : path);
  } else {
    call.words.push_back(option);
    call.words.push_back(text_of(argument, value));
  }
}

void require_known(const McpTool& tool, const YamlNode& arguments) {
  for (const YamlEntry& entry : arguments.entries) {
    const bool is_known = std::any_of(tool.arguments.begin(), tool.arguments.end(),
                                      [&](const McpArgument& argument) { return argument.name == entry.key; });
    if (is_known) continue;
    std::vector<std::string_view> names;
    for (const McpArgument& argument : tool.arguments) names.push_back(argument.name);
    throw InputError("arguments: " + std::string(tool.name) + " has no argument " + in_quotes(entry.key) + "; " +
                     known_names(entry.key, names));
  }
}

/// Returns occupancy, run, explain, sweep and import.
std::span<const McpTool> mcp_tools() { return tools(); }

/// Returns the call. `arguments` is the mapping of the request, or null for none. Throws InputError for what is missing
/// or not known.
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

// Codes of errors, from the specification of JSON-RPC 2.0.
constexpr std::string_view kNoJson = "-32700";
constexpr std::string_view kNoRequest = "-32600";
constexpr std::string_view kNoMethod = "-32601";
constexpr std::string_view kBadArguments = "-32602";
/// The version of the protocol that is spoken, whatever the client asks for.
constexpr const char* kProtocol = "2025-06-18";
/// The longest request: a scenario may have 1 GiB, but not here.
constexpr std::size_t kMaxLine = 16U << 20U;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporary_file() {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw InputError("no temporary file can be made");
  return file;
}

std::string whole_text(std::FILE* file) {
  std::string text;
  std::array<char, 65'536> part{};
  std::rewind(file);
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), file)) text.append(part.data(), count);
  return text;
}

/// What a command printed, and its exit status.
struct Printed {
  std::string out;
  std::string error;
  int status = 0;
};

/// Runs this program with these words.
Printed run_gdsim(const McpCall& call) {
  const File in = temporary_file();
  const File out = temporary_file();
  const File error = temporary_file();
  if (std::fwrite(call.standard_input.data(), 1, call.standard_input.size(), in.get()) != call.standard_input.size())
    throw InputError("the scenario cannot be stored in a temporary file");
  std::rewind(in.get());
  std::vector<std::string> words = call.words;
  words.insert(words.begin(), "gdsim");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(in.get()), STDIN_FILENO);
    dup2(fileno(out.get()), STDOUT_FILENO);
    dup2(fileno(error.get()), STDERR_FILENO);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) throw InputError("the command cannot be started");
  constexpr int ended_by_signal = 70;
  return {whole_text(out.get()), whole_text(error.get()), WIFEXITED(status) ? WEXITSTATUS(status) : ended_by_signal};
}

/// Puts a document that was written over several lines on one: line ends inside of strings are escaped.
std::string on_one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

/// Answers the requests of one client.
class McpServer {
 public:
  explicit McpServer(StandardOutput& out) : out_(out) {}

  void answer(const std::string& line) {
    const SourceText source("request", line);
    Diagnostics problems;
    const auto request = read_yaml(source, problems);
    const char first = line[line.find_first_not_of(" \t\r")];
    if (!request || !problems.empty() || (first != '{' && first != '['))
      return refuse(nullptr, kNoJson, "the message is not a JSON object");
    if (first == '[') return refuse(nullptr, kNoRequest, "batches are not supported: send one message a line");
    const auto member = [&](std::string_view key) { return request->is_mapping() ? request->find(key) : nullptr; };
    const YamlNode* version = member("jsonrpc");
    const YamlNode* method = member("method");
    const YamlNode* id = member("id");
    if (version == nullptr || version->text != "2.0" || version->style != YamlNode::Style::quoted)
      return refuse(id, kNoRequest, "the message has no \"jsonrpc\": \"2.0\"");
    if (method == nullptr || !method->is_scalar()) return refuse(id, kNoRequest, "the message has no method");
    if (id == nullptr) return;  // a notification has no answer
    answer_request(method->text, *id, request->find("params"));
  }

  void refuse(const YamlNode* id, std::string_view code, const std::string& why) {
    JsonWriter json;
    begin(json, id);
    json.key("error").open_object();
    json.key("code").number(code).key("message").text(why);
    json.close_object();
    end(json);
  }

 private:
  void answer_request(const std::string& method, const YamlNode& id, const YamlNode* parameters) {
    if (method == "tools/call") return call_tool(id, parameters);
    const bool is_known = method == "initialize" || method == "ping" || method == "tools/list";
    if (!is_known) return refuse(&id, kNoMethod, "unknown method " + in_quotes(method));
    JsonWriter json;
    begin(json, &id);
    json.key("result").open_object();
    if (method == "initialize") describe_server(json);
    if (method == "tools/list") list_tools(json);
    json.close_object();
    end(json);
  }

  static void describe_server(JsonWriter& json) {
    json.key("protocolVersion").text(kProtocol);
    json.key("capabilities").open_object().key("tools").open_object().close_object().close_object();
    json.key("serverInfo").open_object().key("name").text("gdsim").key("version").text(version_number()).close_object();
    json.key("instructions")
        .text(
            "gdsim simulates how a GPU dispatches work-groups onto its cores. Begin with occupancy or run; explain "
            "says what would help.");
  }

  static void list_tools(JsonWriter& json) {
    json.key("tools").open_list();
    for (const McpTool& tool : mcp_tools()) {
      json.open_object().key("name").text(tool.name).key("description").text(tool.sentence);
      json.key("inputSchema").open_object().key("type").text("object").key("properties").open_object();
      for (const McpArgument& argument : tool.arguments) {
        json.key(argument.name).open_object();
        if (argument.use == McpUse::repeated)
          json.key("type").text("array").key("items").open_object().key("type").text("string").close_object();
        else
          json.key("type").text("string");
        json.key("description").text(argument.sentence).close_object();
      }
      json.close_object().key("required").open_list();
      for (const McpArgument& argument : tool.arguments)
        if (argument.is_required) json.text(argument.name);
      json.close_list().key("additionalProperties").truth(false).close_object().close_object();
    }
    json.close_list();
  }

  void call_tool(const YamlNode& id, const YamlNode* parameters) {
    const YamlNode* name = parameters != nullptr && parameters->is_mapping() ? parameters->find("name") : nullptr;
    const YamlNode* arguments = name != nullptr ? parameters->find("arguments") : nullptr;
    const auto tools = mcp_tools();
    const auto tool = std::find_if(tools.begin(), tools.end(), [&](const McpTool& candidate) {
      return name != nullptr && name->is_scalar() && candidate.name == name->text;
    });
    if (tool == tools.end())
      return refuse(&id, kBadArguments, "`name` is not one of occupancy, run, explain, sweep, import");
    if (arguments != nullptr && !arguments->is_mapping()) return refuse(&id, kBadArguments, "`arguments` is no object");
    try {
      const Printed printed = run_gdsim(call_of(*tool, arguments));
      // A stalled run, or a missed expectation, has another status than 0, but is a result.
      const bool has_failed = printed.status != 0 && printed.out.empty();
      const bool has_warnings = !has_failed && !printed.error.empty();
      write_result(id, has_failed ? printed.error : printed.out, has_warnings ? printed.error : "", has_failed);
    } catch (const InputError& error) {
      write_result(id, error.what(), "", true);
    }
  }

  void write_result(const YamlNode& id, const std::string& text, const std::string& warnings, bool has_failed) {
    JsonWriter json;
    begin(json, &id);
    json.key("result").open_object().key("content").open_list();
    for (const std::string* part : {&text, &warnings})
      if (part == &text || !part->empty())
        json.open_object().key("type").text("text").key("text").text(*part).close_object();
    json.close_list().key("isError").truth(has_failed).close_object();
    end(json);
  }

  static void begin(JsonWriter& json, const YamlNode* id) {
    json.open_object().key("jsonrpc").text("2.0").key("id");
    if (id == nullptr || !id->is_scalar() || id->is_missing())
      json.none();
    else if (id->style == YamlNode::Style::quoted)
      json.text(id->text);
    else
      json.number(id->text);
  }

  void end(JsonWriter& json) {
    json.close_object();
    out_.write(on_one_line(json.finish()) + "\n");
    out_.flush();
  }

  StandardOutput& out_;
};

ExitStatus run_mcp(CommandContext& context) {
  if (!context.options.arguments().empty())
    throw UsageError("gdsim mcp takes no arguments; requests come from standard input");
  McpServer server(context.out);
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.size() > kMaxLine)
      server.refuse(nullptr, kNoRequest, "the message is longer than 16 MiB");
    else
      server.answer(line);
  }
  return ExitStatus::done;
}

}  // namespace

Command mcp_command() {
  return {{"mcp",
           "",
           "answers an assistant or an editor: Model Context Protocol",
           "Reads JSON-RPC messages from standard input, one a line, and answers them on standard output, as the\n"
           "Model Context Protocol says. Its tools are occupancy, run, explain, sweep and import. Assistants start\n"
           "it as a server with the command `gdsim mcp`; it reads files with the rights of who started it.",
           "  gdsim mcp <requests.jsonl",
           {}},
          run_mcp};
}

}  // namespace gdsim::cli
