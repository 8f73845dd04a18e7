#include "reference/completion.hpp"

#include "terminal/terminal.hpp"

#include <fmt/format.h>

namespace gdsim::cli {
namespace {

/// Names of device models are queried from the program: folders of models may hold the user's own.
constexpr std::string_view kDeviceNames = "$(gdsim devices --names --aliases 2>/dev/null)";

std::vector<OptionSpec> options_of(const CommandSpec& command) {
  std::vector<OptionSpec> all = command.options;
  for (const OptionSpec& option : common_options()) all.push_back(option);
  return all;
}

/// Returns the values that an option may have, separated by spaces; empty if they are not a list.
std::string_view values_of(const OptionSpec& option) { return option.name == "device" ? kDeviceNames : option.choices; }

/// Returns the first line of a help text, without the indented lines that may follow.
std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::string replaced(std::string text, std::string_view pattern, std::string_view replacement) {
  for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + replacement.size()))
    text.replace(at, pattern.size(), replacement);
  return text;
}

/// Quotes a text for fish's single quotes, in which only \\ and \' are escapes.
std::string fish_quoted(std::string text) {
  return "'" + replaced(replaced(std::move(text), "\\", "\\\\"), "'", "\\'") + "'";
}

/// Escapes a description for brackets of zsh's _arguments.
std::string zsh_description(const OptionSpec& option) {
  std::string text = first_line(option.help);
  for (const char* special : {"\\", "[", "]", ":"}) text = replaced(text, special, std::string("\\") + special);
  return text;
}

bool takes_folder(const OptionSpec& option) { return option.argument == "DIR"; }
bool takes_file(const OptionSpec& option) { return option.argument.starts_with("FILE"); }
bool has_file_arguments(const CommandSpec& command) {
  return !command.arguments.starts_with("--") && command.name != "devices" && command.name != "completion";
}

}  // namespace

std::string bash_completion(std::span<const Command> commands) {
  std::string names, cases;
  for (const Command& command : commands) {
    names += fmt::format("{} ", command.spec.name);
    std::string options;
    std::string values;
    for (const OptionSpec& option : options_of(command.spec)) {
      options += fmt::format("--{} ", option.name);
      const std::string dashed =
          option.letter != 0 ? fmt::format("-{}|--{}", option.letter, option.name) : fmt::format("--{}", option.name);
      if (option.argument.empty()) continue;
      if (const std::string_view list = values_of(option); !list.empty()) {
        values +=
            fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$current\")); return ;;\n", dashed, list);
      } else if (takes_folder(option) || takes_file(option)) {
        values += fmt::format("        {}) COMPREPLY=($(compgen -{} -- \"$current\")); return ;;\n", dashed,
                              takes_folder(option) ? "d" : "f");
      } else {
        values += fmt::format("        {}) return ;;\n", dashed);
      }
    }
    cases += fmt::format("    {})\n      case $previous in\n{}      esac\n      options='{}'\n", command.spec.name,
                         values, options);
    if (command.spec.name == "devices") cases += fmt::format("      words=\"{}\"\n", kDeviceNames);
    if (!has_file_arguments(command.spec)) cases += "      files=no\n";
    cases += "      ;;\n";
  }
  return fmt::format(
      "# bash completion for gdsim\n"
      "_gdsim() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local options='' words='' files=yes\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{}help --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "    help) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n"
      "{}"
      "  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
      "  elif [[ $words ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  elif [[ $files == yes ]]; then\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _gdsim gdsim\n",
      names, names, cases);
}

std::string zsh_completion(std::span<const Command> commands) {
  std::string list, cases;
  for (const Command& command : commands) {
    list +=
        fmt::format("    {}\n", single_quoted(fmt::format("{}:{}", command.spec.name,
                                                          replaced(std::string(command.spec.summary), ":", "\\:"))));
    cases += fmt::format("    {})\n      _arguments", command.spec.name);
    for (const OptionSpec& option : options_of(command.spec)) {
      std::string action;
      if (!option.argument.empty()) {
        const std::string_view values = values_of(option);
        if (values == kDeviceNames)
          action = ":device:_gdsim_devices";
        else if (!values.empty())
          action = fmt::format(":{}:({})", option.argument, values);
        else if (takes_folder(option))
          action = ":folder:_files -/";
        else if (takes_file(option))
          action = ":file:_files";
        else
          action = fmt::format(":{}:", replaced(std::string(option.argument), ":", "\\:"));
      }
      const std::string repeat = option.times == Times::any ? "*" : "";
      const std::string described = fmt::format("[{}]{}", zsh_description(option), action);
      cases += fmt::format(" \\\n        {}", single_quoted(fmt::format("{}--{}{}", repeat, option.name, described)));
      if (option.letter != 0)
        cases +=
            fmt::format(" \\\n        {}", single_quoted(fmt::format("{}-{}{}", repeat, option.letter, described)));
    }
    if (command.spec.name == "devices")
      cases += " \\\n        '1:device:_gdsim_devices'";
    else if (has_file_arguments(command.spec))
      cases += " \\\n        '*:file:_files'";
    cases += "\n      ;;\n";
  }
  return fmt::format(
      "#compdef gdsim\n"
      "_gdsim_devices() {{ compadd -- ${{(f)\"$(gdsim devices --names --aliases 2>/dev/null)\"}} }}\n"
      "_gdsim() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local name=${{words[2]}}\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $name in\n{}"
      "  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _gdsim ]]; then _gdsim \"$@\"; else compdef _gdsim gdsim; fi\n",
      list, cases);
}

std::string fish_completion(std::span<const Command> commands) {
  std::string text = "# fish completion for gdsim\n";
  for (const Command& command : commands) {
    const CommandSpec& spec = command.spec;
    text += fmt::format("complete -c gdsim -n __fish_use_subcommand -f -a {} -d {}\n", spec.name,
                        fish_quoted(std::string(spec.summary)));
    const std::string seen = fmt::format("complete -c gdsim -n '__fish_seen_subcommand_from {}'", spec.name);
    for (const OptionSpec& option : options_of(spec)) {
      text += fmt::format("{} -l {}", seen, option.name);
      if (option.letter != 0) text += fmt::format(" -s {}", option.letter);
      if (!option.argument.empty()) {
        const std::string_view values = values_of(option);
        if (values == kDeviceNames)
          text += " -x -a '(gdsim devices --names --aliases 2>/dev/null)'";
        else if (!values.empty())
          text += fmt::format(" -x -a '{}'", values);
        else if (takes_folder(option))
          text += " -x -a '(__fish_complete_directories)'";
        else if (takes_file(option))
          text += " -r -F";
        else
          text += " -x";
      }
      text += fmt::format(" -d {}\n", fish_quoted(first_line(option.help)));
    }
    if (spec.name == "devices") text += seen + " -f -a '(gdsim devices --names --aliases 2>/dev/null)'\n";
  }
  return text;
}

}  // namespace gdsim::cli
