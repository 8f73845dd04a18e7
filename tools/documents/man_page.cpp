#include "man_page.hpp"

#include "command_line.hpp"
#include "reference/reference_text.hpp"
#include "terminal/program.hpp"

#include <fmt/format.h>

namespace gdsim::cli {
namespace {

/// Help is indented below its option; the page indents by itself.
std::string without_indentation(std::string_view text) {
  std::string plain;
  bool begins_line = false;
  for (const char c : text) {
    if (begins_line && c == ' ') continue;
    begins_line = c == '\n';
    plain += c;
  }
  return plain;
}

std::string literal(std::string_view title, std::string_view text) {
  return fmt::format(".SH {}\n.nf\n{}\n.fi\n", title, roff_escaped(text));
}

std::string options(std::span<const OptionSpec> specs) {
  std::string text;
  for (const OptionSpec& spec : specs) {
    text += ".TP\n";
    if (spec.letter != 0) text += fmt::format("\\fB\\-{}\\fR, ", spec.letter);
    text += fmt::format("\\fB\\-\\-{}\\fR", roff_escaped(spec.name));
    if (!spec.argument.empty()) text += fmt::format(" \\fI{}\\fR", roff_escaped(spec.argument));
    text += '\n' + roff_escaped(without_indentation(spec.help)) + '\n';
  }
  return text;
}

}  // namespace

std::string man_page(const CommandSpec& command) {
  std::string text = roff_head(fmt::format("gdsim-{}", command.name), 1, command.summary);
  text += fmt::format(".SH SYNOPSIS\n\\fBgdsim {}\\fR {}{}[\\fIOPTIONS\\fR]\n", command.name,
                      roff_escaped(command.arguments), command.arguments.empty() ? "" : " ");
  text += literal("DESCRIPTION", command.details);
  text += ".SH OPTIONS\n";
  for (const OptionGroup& group : option_groups(command))
    text += fmt::format(".SS {}\n", roff_escaped(group.heading)) + options(group.options);
  text += literal("EXAMPLES", command.examples);
  return text + ".SH SEE ALSO\n.BR gdsim (1)\n";
}

std::string man_page(std::span<const Command> commands) {
  std::string text = roff_head("gdsim", 1, "simulates how a GPU dispatches work-groups onto its cores");
  text += ".SH SYNOPSIS\n\\fBgdsim\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n";
  text += fmt::format(".SH DESCRIPTION\n{}\n.SH COMMANDS\n", roff_escaped(kGdsimSummary));
  for (const Command& command : commands)
    text += fmt::format(".TP\n.BR gdsim\\-{} (1)\n{}\n", roff_escaped(command.spec.name),
                        roff_escaped(command.spec.summary));
  text += ".SH OPTIONS\n.TP\n\\fB\\-\\-help\\fR\nlists the commands\n.TP\n\\fB\\-\\-version\\fR\nprints the version\n";
  text += fmt::format(".SH EXIT STATUS\n{}\n", roff_escaped(kExitStatusHelp));
  text +=
      ".SH ENVIRONMENT\n.TP\n.B GDSIM_MODELS\nfolders of device models, separated by colons\n"
      ".TP\n.B NO_COLOR\nif it is set, output has no colours\n"
      ".TP\n.B SPDLOG_LEVEL\nthe level of the log, as in \\fB\\-\\-log\\-level\\fR\n";
  text += literal("EXAMPLES", kGdsimExamples);
  text += ".SH SEE ALSO\n";
  for (const ReferenceTopic& topic : reference_topics()) text += fmt::format(".BR gdsim\\-{} (5),\n", topic.name);
  for (std::size_t i = 0; i < commands.size(); ++i)
    text +=
        fmt::format(".BR gdsim\\-{} (1){}\n", roff_escaped(commands[i].spec.name), i + 1 < commands.size() ? "," : "");
  return text;
}

}  // namespace gdsim::cli
