#pragma once

#include "terminal/program.hpp"

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// How often an option may be given.
enum class Times { once, any };

/// One option of a command.
struct OptionSpec {
  std::string_view name;      ///< without dashes: `print`
  char letter = 0;            ///< for `-o`; 0: none
  std::string_view argument;  ///< as in help: `DIR`; empty: a switch
  std::string_view help;
  Times times = Times::once;
  std::string_view choices = {};  ///< the values that it may have, separated by spaces; empty: not a list
  std::string_view group = {};    ///< the heading in help under which it is listed; empty: `Options`
};

/// How a command is called.
struct CommandSpec {
  std::string_view name;
  std::string_view arguments;  ///< as in help: `SCENARIO.yaml`
  std::string_view summary;    ///< one line for the list of commands
  std::string_view details;    ///< what the command does, for its own help
  std::string_view examples;
  std::vector<OptionSpec> options;
  std::string_view group = {};                 ///< the heading in the list of commands
  std::vector<std::string_view> removed = {};  ///< switches of earlier versions: accepted without effect, not in help
};

/// Returns the options, each with this group.
std::vector<OptionSpec> in_group(std::string_view group, std::vector<OptionSpec> options);

/// Puts the command's options of these names into a group. The command must have them.
void put_in_group(CommandSpec& command, std::string_view group, std::initializer_list<std::string_view> names);

/// Groups of options that several commands have.
inline constexpr std::string_view kWhatRuns = "Choose what runs";
inline constexpr std::string_view kWhatIsWritten = "Choose what is written";
inline constexpr std::string_view kHowItRuns = "Choose how it runs";

/// The arguments and options that were given.
class Options {
 public:
  struct Given {
    std::string name;
    std::vector<std::string> values;
  };

  Options(std::vector<std::string> arguments, std::vector<Given> given)
      : arguments_(std::move(arguments)), given_(std::move(given)) {}

  const std::vector<std::string>& arguments() const { return arguments_; }
  bool has(std::string_view name) const;
  /// Returns the value, or nullopt if none was given.
  std::optional<std::string> value(std::string_view name) const;
  /// Returns all given values in order.
  std::vector<std::string> values(std::string_view name) const;

 private:
  std::vector<std::string> arguments_;
  std::vector<Given> given_;
};

/// Options that every command has: --help, --models, --log-level, --color.
std::vector<OptionSpec> common_options();

/// Reads the words after the command's name. Throws UsageError, which suggests the likeliest option if one is unknown.
Options parse_options(const CommandSpec& command, std::span<const char* const> words);

/// A group of a command's options, including those that every command has, in the order of the help. Options without a
/// group come first, under `Options`.
struct OptionGroup {
  std::string_view heading;
  std::vector<OptionSpec> options;
};
std::vector<OptionGroup> option_groups(const CommandSpec& command);

/// The help of one command, in lines of at most kHelpWidth columns.
std::string help_text(const CommandSpec& command);

/// Returns the folders in which device models are looked up, in order: --models, GDSIM_MODELS (folders separated by
/// ':'), and `share/gdsim/models` beside the program's `bin`. The last two are listed even if they do not exist.
std::vector<std::filesystem::path> model_folders(const Options& options);

}  // namespace gdsim::cli
