#include "options/options.hpp"

#include "terminal/log.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/synonyms.hpp>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include <algorithm>

namespace gdsim::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kArguments = "arguments";

constexpr std::string_view kAlways = "Every command";

std::vector<OptionSpec> all_options(const CommandSpec& command) {
  std::vector<OptionSpec> all = command.options;
  const auto common = common_options();
  all.insert(all.end(), common.begin(), common.end());
  return all;
}

std::string without_dashes(std::string name) { return name.erase(0, name.find_first_not_of('-')); }

po::options_description describe(const std::vector<OptionSpec>& specs, const std::vector<std::string_view>& removed) {
  po::options_description description;
  for (const std::string_view name : removed) description.add_options()(std::string(name).c_str(), "");
  for (const OptionSpec& spec : specs) {
    std::string names(spec.name);
    if (spec.letter != 0) names += std::string(",") + spec.letter;
    if (spec.argument.empty()) {
      description.add_options()(names.c_str(), "");
    } else {
      description.add_options()(names.c_str(), po::value<std::vector<std::string>>()->composing(), "");
    }
  }
  description.add_options()(kArguments, po::value<std::vector<std::string>>(), "");
  return description;
}

/// Returns the hint for an option that is another ecosystem's word: the option of gdsim's word, or the override of its
/// key. Empty if there is neither.
std::string foreign_option_hint(const std::string& given, const std::vector<std::string_view>& names) {
  const Synonym* synonym = synonym_of(without_dashes(given));
  if (synonym == nullptr) return {};
  std::string option(synonym->key);
  std::replace(option.begin(), option.end(), '_', '-');
  const auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  const std::string hint = fmt::format("; gdsim's word is {}, {}: ", synonym->key, synonym->meaning);
  if (has(option))
    return hint + (synonym->example == "true" ? fmt::format("`--{}`", option)
                                              : fmt::format("`--{} {}`", option, synonym->example));
  return has("set") ? hint + fmt::format("`--set {}={}`", synonym->key, synonym->example) : std::string();
}

UsageError unknown_option(const std::string& given, const std::vector<OptionSpec>& specs) {
  std::vector<std::string_view> names;
  for (const OptionSpec& spec : specs) names.push_back(spec.name);
  if (const std::string hint = foreign_option_hint(given, names); !hint.empty())
    return UsageError("unknown option " + in_quotes(given) + hint);
  const std::string_view nearest = nearest_name(without_dashes(given), names);
  return UsageError("unknown option " + in_quotes(given) +
                    (nearest.empty() ? "" : "; did you mean --" + std::string(nearest) + "?"));
}

void require_single(const std::vector<OptionSpec>& specs, const std::vector<Options::Given>& given) {
  for (const OptionSpec& spec : specs) {
    const auto count =
        std::count_if(given.begin(), given.end(), [&](const auto& one) { return one.name == spec.name; });
    if (spec.times == Times::once && !spec.argument.empty() && count > 1)
      throw UsageError(fmt::format("--{} was given {} times; once is enough", spec.name, count));
  }
}

void append_options(std::string& text, const std::vector<OptionSpec>& specs) {
  for (const OptionSpec& spec : specs) {
    std::string call =
        spec.letter != 0 ? fmt::format("-{}, --{}", spec.letter, spec.name) : fmt::format("--{}", spec.name);
    if (!spec.argument.empty()) call += fmt::format(" {}", spec.argument);
    constexpr std::size_t column = 27;
    if (call.size() + 3 > column) {
      text += fmt::format("  {}\n{}{}\n", call, std::string(column, ' '), wrapped_text(spec.help, column));
    } else {
      text += fmt::format("  {:<24} {}\n", call, wrapped_text(spec.help, column));
    }
  }
}

}  // namespace

std::vector<OptionSpec> common_options() {
  return {{"models", 0, "DIR", "look up device models in DIR, too (repeatable)", Times::any, {}, kAlways},
          {"log-level", 0, "LEVEL", "trace, debug, info, warn (default), error, critical or off", Times::once,
           kLogLevels, kAlways},
          {"color", 0, "WHEN", "auto (default), always or never; NO_COLOR is respected", Times::once,
           "auto always never", kAlways},
          {"help", 'h', "", "this help", Times::once, {}, kAlways}};
}

Options parse_options(const CommandSpec& command, std::span<const char* const> words) {
  const auto specs = all_options(command);
  const auto description = describe(specs, command.removed);
  po::positional_options_description positional;
  positional.add(kArguments, -1);
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  try {
    const auto parsed = po::command_line_parser(std::vector<std::string>(words.begin(), words.end()))
                            .options(description)
                            .positional(positional)
                            .style(style)
                            .run();
    std::vector<std::string> arguments;
    std::vector<Options::Given> given;
    for (const auto& option : parsed.options) {
      if (option.string_key == kArguments) {
        arguments.insert(arguments.end(), option.value.begin(), option.value.end());
      } else {
        given.push_back({without_dashes(option.string_key), option.value});
      }
    }
    require_single(specs, given);
    return {std::move(arguments), std::move(given)};
  } catch (const po::unknown_option& error) {
    throw unknown_option(error.get_option_name(), specs);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
}

std::vector<OptionSpec> in_group(std::string_view group, std::vector<OptionSpec> options) {
  for (OptionSpec& option : options) option.group = group;
  return options;
}

void put_in_group(CommandSpec& command, std::string_view group, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto option = std::find_if(command.options.begin(), command.options.end(),
                                     [&](const OptionSpec& one) { return one.name == name; });
    GDSIM_CHECK(option != command.options.end(), "a group names an option that there is not");
    option->group = group;
  }
}

std::vector<OptionGroup> option_groups(const CommandSpec& command) {
  std::vector<OptionGroup> groups{{"Options", {}}};
  for (const OptionSpec& option : all_options(command)) {
    const std::string_view heading = option.group.empty() ? groups.front().heading : option.group;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.heading == heading; });
    if (group == groups.end()) group = groups.insert(group, {heading, {}});
    group->options.push_back(option);
  }
  if (groups.front().options.empty()) groups.erase(groups.begin());
  return groups;
}

std::string help_text(const CommandSpec& command) {
  std::string text = fmt::format("Usage: gdsim {} {}{}[OPTIONS]\n\n{}", command.name, command.arguments,
                                 command.arguments.empty() ? "" : " ", wrapped_paragraphs(command.details));
  text += fmt::format("\nExamples:\n{}\n", command.examples);
  for (const OptionGroup& group : option_groups(command)) {
    text += fmt::format("\n{}:\n", group.heading);
    append_options(text, group.options);
  }
  return text;
}

}  // namespace gdsim::cli
