#include "command_line.hpp"

#include "options/command.hpp"
#include "output/sinks.hpp"
#include "reference/reference_text.hpp"
#include "terminal/log.hpp"
#include "terminal/program.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/keys/synonyms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <new>

namespace gdsim::cli {
namespace {

/// Lists the commands by group, the groups in the order of their first commands in the catalog.
std::string command_list(const std::vector<Command>& all) {
  std::vector<std::string_view> groups;
  for (const Command& command : all)
    if (std::find(groups.begin(), groups.end(), command.spec.group) == groups.end())
      groups.push_back(command.spec.group);
  std::string text;
  for (const std::string_view group : groups) {
    text += fmt::format("{}:\n", group.empty() ? "Other commands" : group);
    for (const Command& command : all)
      if (command.spec.group == group) text += fmt::format("  {:<11} {}\n", command.spec.name, command.spec.summary);
  }
  return text;
}

/// Fits on a screen of 24 lines and 80 columns.
std::string usage(const std::vector<Command>& all) {
  return fmt::format(
      "gdsim simulates how a GPU dispatches work-groups onto its cores, and how full it\n"
      "is at every moment. Usage: gdsim COMMAND [OPTIONS] ...\n\n{}\n"
      "`gdsim help COMMAND` lists its options; `gdsim help scenario` and `gdsim help\n"
      "device` list every key of a file, `gdsim help outputs` every column that is\n"
      "written, `gdsim help words` what SYCL, CUDA, HIP and VTune call these things;\n"
      "`gdsim help WORD` searches all of it.\n"
      "`gdsim --version` prints the version.\n"
      "Exit status: {}\n",
      command_list(all), kExitStatusHelp);
}

const Command* find_command(const std::vector<Command>& all, std::string_view name) {
  for (const Command& command : all)
    if (command.spec.name == name) return &command;
  return nullptr;
}

UsageError unknown_command(const std::vector<Command>& all, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Command& command : all) names.push_back(command.spec.name);
  const std::string hint = is_file_to_run(name) ? " to run this file: gdsim run " + name : did_you_mean(name, names);
  return UsageError("unknown command " + in_quotes(name) + "; known: " + join(names) +
                    (hint.empty() ? "" : ";" + hint));
}

/// Returns the commands and options that say the word; empty if none does.
std::string commands_saying(const std::vector<Command>& all, std::string_view word) {
  std::string lines;
  for (const Command& command : all) {
    if (says(command.spec.summary, word))
      lines += fmt::format("  gdsim {}: {}\n", command.spec.name, command.spec.summary);
    for (const OptionSpec& option : command.spec.options)
      if (says(option.name, word) || says(option.help, word))
        lines += fmt::format("  gdsim {} --{}: {}\n", command.spec.name, option.name, option.help);
  }
  return lines.empty() ? lines : "Commands and options (`gdsim help COMMAND`)\n" + lines;
}

/// Returns what models, their partitions and `names.csv` have of the word; empty if they have nothing.
std::string devices_saying(std::string_view word) {
  SourceFiles sources;
  const ModelLibrary models(model_folders(Options({}, {})), sources);
  std::string lines;
  const ModelMatch match = models.match(word);
  if (match.is_certain() || match.fit == NameFit::part)
    for (const std::string& name : match.names) lines += fmt::format("  `device: {}`\n", name);
  for (const DeviceName& row : models.device_names())
    if (says(row.name, word) && lines.find("  " + row.name + ": ") == std::string::npos)  // of two folders
      lines += fmt::format("  {}: `device: {}`\n", row.name,
                           row.cores ? fmt::format("{{base: {}, cores: {}}}", row.model, *row.cores) : row.model);
  for (const std::string& line : partition_lines(word, models)) lines += fmt::format("  {}\n", line);
  return lines.empty() ? lines
                       : fmt::format("Devices (`gdsim devices NAME` has each number and its source)\n{}", lines);
}

/// Returns where words, keys, outputs, commands, options and devices say the word; empty if none does.
std::string everything_saying(const std::vector<Command>& all, std::string_view word) {
  if (word.empty()) return {};
  std::string found = search_text(word);
  const auto add = [&](const std::string& part) {
    if (!part.empty()) found += (found.empty() ? "" : "\n") + part;
  };
  add(commands_saying(all, word));
  add(devices_saying(word));
  return found;
}

/// Returns the help of a command, the keys of a kind of file, the glossary, or where any of these says the word.
std::string help_on(const std::vector<Command>& all, std::string_view name) {
  if (const Command* command = find_command(all, name)) return help_text(command->spec);
  if (const ReferenceTopic* topic = find_topic(name)) return reference_text(*topic);
  if (const std::string found = everything_saying(all, name); !found.empty()) return found;
  if (const Synonym* synonym = synonym_of(name))
    return fmt::format("gdsim's word is `{}`, {}.\n\n{}", synonym->key, synonym->meaning,
                       everything_saying(all, synonym->key));
  std::string topics;
  for (const ReferenceTopic& topic : reference_topics())
    topics += fmt::format("{}{}", topics.empty() ? "" : ", ", topic.name);
  throw UsageError(unknown_command(all, std::string(name)).what() + ("; topics: " + topics));
}

/// Answers `gdsim --help`, `gdsim help [COMMAND|TOPIC|WORD]` and `gdsim --version`. Returns true if it was one of
/// these.
bool answer_about_itself(const std::vector<Command>& all, std::span<const char* const> words, StandardOutput& out) {
  const std::string_view first = words.front();
  if (first == "--version" || first == "-V") {
    out.write(version_text() + "\n");
  } else if (first == "help" && words.size() > 1) {
    out.write(help_on(all, words[1]));
  } else if (first == "--help" || first == "-h" || first == "help") {
    out.write(usage(all));
  } else {
    return false;
  }
  out.flush();
  return true;
}

ExitStatus run_named_command(std::span<const char* const> words, const std::vector<Command>& all,
                             const InternalRunOptions& run_options) {
  StandardOutput out;
  if (answer_about_itself(all, words, out)) return ExitStatus::done;
  const Command* command = find_command(all, words.front());
  if (command == nullptr) throw unknown_command(all, words.front());
  const Options options = parse_options(command->spec, words.subspan(1));
  set_up_log(options.value("log-level"), parse_color(options.value("color")));
  if (options.has("help")) {
    out.write(help_text(command->spec));
    out.flush();
    return ExitStatus::done;
  }
  CommandContext context{options, out, run_options, {}, &all};
  return command->run(context);
}

/// The one place in which failures become messages and exit statuses.
ExitStatus guarded(std::span<const char* const> words, const std::vector<Command>& all,
                   const InternalRunOptions& run_options) {
  try {
    return run_named_command(words, all, run_options);
  } catch (const UsageError& error) {
    const bool is_command = find_command(all, words.front()) != nullptr;
    log_error("gdsim: error: " + readable(error.what()) + "\n`gdsim " +
              (is_command ? std::string(words.front()) + " " : "") + "--help` lists what is allowed.");
    return ExitStatus::bad_input;
  } catch (const InputError& error) {
    log_error(error.what());
    return ExitStatus::bad_input;
  } catch (const TimeOverflowError& error) {
    log_error("gdsim: error: " + std::string(error.what()));
    return ExitStatus::bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    log_error("gdsim: error: " + error.path1().string() + ": " + error.code().message());
    return ExitStatus::bad_input;
  } catch (const std::bad_alloc&) {
    log_error("gdsim: error: not enough memory for this scenario and the outputs asked for");
    return ExitStatus::bad_input;
  } catch (const std::exception& error) {
    log_critical("gdsim: defect: " + std::string(error.what()) +
                 "\nThis is a fault of gdsim, not of your input. Please report it with the scenario.");
    return ExitStatus::defect;
  }
}

}  // namespace

bool is_file_to_run(std::string_view word) {
  std::error_code unreadable;
  return word.ends_with(".yaml") || word.ends_with(".yml") || std::filesystem::is_regular_file(word, unreadable);
}

int command_line(int argc, const char* const* argv, const std::vector<Command>& commands,
                 const InternalRunOptions& run_options) {
  set_up_log(std::nullopt, ColorMode::automatic);  // until the options say more
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit is a write error like any other
  if (argc < 2) {
    log_error(usage(commands));
    return static_cast<int>(ExitStatus::bad_input);
  }
  const std::span words(argv + 1, static_cast<std::size_t>(argc - 1));
  return static_cast<int>(guarded(words, commands, run_options));
}

std::vector<Command> first_commands() {
  std::vector<Command> commands{run_command(), devices_command()};
  commands[0].spec.group = kSeeWhatHappens;
  commands[1].spec.group = kLookUp;
  return commands;
}

}  // namespace gdsim::cli
