#include "command_line.hpp"

#include "check_command.hpp"
#include "compare_command.hpp"
#include "devices_command.hpp"
#include "log.hpp"
#include "occupancy_command.hpp"
#include "report_command.hpp"
#include "run_command.hpp"
#include "standard_error.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/near_names.hpp>

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <new>

namespace gdsim::cli {
namespace {

/// Every subcommand.
std::vector<Command> commands() {
  return {run_command(), report_command(), compare_command(), check_command(), occupancy_command(), devices_command()};
}

std::string usage() {
  std::string text =
      "gdsim simulates how a GPU dispatches work-groups onto its cores, and how full it is at every moment.\n"
      "\nUsage: gdsim COMMAND [OPTIONS] ...\n\nCommands:\n";
  for (const Command& command : commands())
    text += fmt::format("  {:<11} {}\n", command.spec.name, command.spec.summary);
  return text +
         "\n`gdsim COMMAND --help` tells more. `gdsim --version` tells the version.\n"
         "\nExamples:\n"
         "  gdsim run scenarios/vector_add4.yaml\n"
         "  gdsim check scenarios/*.yaml\n"
         "  gdsim occupancy --device a100-80gb --local 256 --sub-group 32 --registers 72\n"
         "\nExit status: 0 done, 1 an expectation was missed, 2 bad input, 3 the simulation stalled,\n"
         "130 interrupted, 70 a defect of gdsim.\n";
}

const Command* find_command(const std::vector<Command>& all, std::string_view name) {
  for (const Command& command : all)
    if (command.spec.name == name) return &command;
  return nullptr;
}

UsageError unknown_command(const std::vector<Command>& all, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Command& command : all) names.push_back(command.spec.name);
  std::error_code unreadable;
  const bool is_file = std::filesystem::is_regular_file(name, unreadable);
  const std::string hint = is_file ? " to run this file: gdsim run " + name : did_you_mean(name, names);
  return UsageError("unknown command '" + name + "'; known: " + join(names) + (hint.empty() ? "" : ";" + hint));
}

/// `gdsim --help`, `gdsim help [COMMAND]`, `gdsim --version`; false if it is none of these.
bool answer_about_itself(const std::vector<Command>& all, std::span<const char* const> words, StandardOutput& out) {
  const std::string_view first = words.front();
  if (first == "--version" || first == "-V") {
    out.write("gdsim " GDSIM_VERSION "\n");
  } else if (first == "help" && words.size() > 1) {
    const Command* command = find_command(all, words[1]);
    if (command == nullptr) throw unknown_command(all, words[1]);
    out.write(help_text(command->spec));
  } else if (first == "--help" || first == "-h" || first == "help") {
    out.write(usage());
  } else {
    return false;
  }
  out.flush();
  return true;
}

ExitStatus dispatch(std::span<const char* const> words, const SwitchedRunOptions& run_options) {
  const auto all = commands();
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
  CommandContext context{options, out, run_options};
  return command->run(context);
}

/// Every failure has one place in which it becomes a message and a status.
ExitStatus guarded(std::span<const char* const> words, const SwitchedRunOptions& run_options) {
  try {
    return dispatch(words, run_options);
  } catch (const UsageError& error) {
    const bool is_command = find_command(commands(), words.front()) != nullptr;
    complain("gdsim: error: " + std::string(error.what()) + "\n`gdsim " +
             (is_command ? std::string(words.front()) + " " : "") + "--help` tells more.");
    return ExitStatus::bad_input;
  } catch (const InputError& error) {
    complain(error.what());
    return ExitStatus::bad_input;
  } catch (const TimeOverflowError& error) {
    complain("gdsim: error: " + std::string(error.what()));
    return ExitStatus::bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    complain("gdsim: error: " + error.path1().string() + ": " + error.code().message());
    return ExitStatus::bad_input;
  } catch (const std::bad_alloc&) {
    complain("gdsim: error: not enough memory for this scenario and the outputs asked for");
    return ExitStatus::bad_input;
  } catch (const std::exception& error) {
    complain("gdsim: defect: " + std::string(error.what()) +
             "\nThis is a fault of gdsim, not of your input. Please report it with the scenario.");
    return ExitStatus::defect;
  }
}

}  // namespace

int command_line(int argc, const char* const* argv, const SwitchedRunOptions& run_options) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing, with all that follows from it
  if (argc < 2) {
    complain(usage());
    return static_cast<int>(ExitStatus::bad_input);
  }
  const std::span words(argv + 1, static_cast<std::size_t>(argc - 1));
  return static_cast<int>(guarded(words, run_options));
}

}  // namespace gdsim::cli
