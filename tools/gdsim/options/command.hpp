#pragma once

#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include "options/options.hpp"
#include "terminal/program.hpp"

#include <vector>

namespace gdsim::cli {

class StandardOutput;
struct Command;

/// The environment of a command.
struct CommandContext {
  const Options& options;
  StandardOutput& out;
  InternalRunOptions run_options;  ///< the base of every run; tests put faults here
  FileRegister inputs = {};        ///< every file that the command has read; no output may overwrite one
  const std::vector<Command>* commands = nullptr;  ///< of the program; null where a caller is none
};

/// A subcommand: how it is called and what it does.
struct Command {
  CommandSpec spec;
  ExitStatus (*run)(CommandContext& context);
};

// Each lies in the file of its name.

/// `gdsim run`: runs one scenario file and writes or shows the results.
Command run_command();

/// `gdsim explain`: explains the duration of a run by further runs, each with one thing changed.
Command explain_command();

/// `gdsim sweep`: runs a scenario at many points and writes a table, a picture or a store; runs shards and merges them.
Command sweep_command();

/// `gdsim diff`: lists the differences between two runs.
Command diff_command();

/// `gdsim report`: draws a run as an HTML page.
Command report_command();

/// `gdsim compare`: compares a run with measurements.
Command compare_command();

/// `gdsim check`: runs scenario files and evaluates what they expect.
Command check_command();

/// `gdsim occupancy`: computes how many work-groups fit on a core, what limits them, and what would let one more fit.
Command occupancy_command();

/// `gdsim infer`: finds the dispatch rules that reproduce a log or a series of occupancies.
Command infer_command();

/// `gdsim calibrate`: fits parameters of a scenario or its device to measured times.
Command calibrate_command();

/// `gdsim import`: makes a scenario from compiled kernels or profiles.
Command import_command();

/// `gdsim devices`: lists the device models, or one model with all its numbers and their sources.
Command devices_command();

/// `gdsim probe-model`: makes a device model from measurements of tools/probe.
Command probe_model_command();

/// `gdsim mcp`: answers assistants and editors, by the Model Context Protocol.
Command mcp_command();

/// `gdsim completion`: prints what completes the program's commands and options in a shell.
Command completion_command();

/// `gdsim serve`: serves the page of a scenario and updates it when the file changes.
Command serve_command();

}  // namespace gdsim::cli
