#pragma once

#include "options/exit_status.hpp"
#include "options/options.hpp"
#include "output/standard_output.hpp"

#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/file_register.hpp>

namespace gdsim::cli {

/// The environment of a command.
struct CommandContext {
  const Options& options;
  StandardOutput& out;
  InternalRunOptions run_options;  ///< the base of every run; tests put faults here
  FileRegister inputs = {};        ///< every file that the command has read; no output may overwrite one
};

/// A subcommand: how it is called and what it does.
struct Command {
  CommandSpec spec;
  ExitStatus (*run)(CommandContext& context);
};

}  // namespace gdsim::cli
