#include "options/command.hpp"
#include "output/sinks.hpp"
#include "reference/completion.hpp"
#include "terminal/program.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>

#include <string>
#include <vector>

namespace gdsim::cli {
namespace {

std::string completion_for(const std::string& shell, const std::vector<Command>& commands) {
  if (shell == "bash") return bash_completion(commands);
  if (shell == "zsh") return zsh_completion(commands);
  if (shell == "fish") return fish_completion(commands);
  throw UsageError("there is no completion for " + in_quotes(shell) + "; known: bash, zsh, fish");
}

ExitStatus run_completion(CommandContext& context) {
  GDSIM_CHECK(context.commands != nullptr, "completion has no list of commands");
  if (context.options.arguments().size() != 1)
    throw UsageError("completion needs one shell: gdsim completion bash|zsh|fish");
  context.out.write(completion_for(context.options.arguments().front(), *context.commands));
  context.out.flush();
  return ExitStatus::done;
}

}  // namespace

Command completion_command() {
  return {{"completion",
           "bash|zsh|fish",
           "prints what completes commands and options in a shell",
           "Prints a script that completes commands, options and their values. Packages install it.",
           "  source <(gdsim completion bash)\n"
           "  gdsim completion fish >~/.config/fish/completions/gdsim.fish",
           {}},
          run_completion};
}

}  // namespace gdsim::cli
