#pragma once

#include <gdsim/run/internal_run_options.hpp>

namespace gdsim::cli {

/// The whole program: picks the subcommand, runs it, turns every failure into a message and an exit status.
/// `run_options` is the base of every run.
int command_line(int argc, const char* const* argv, const InternalRunOptions& run_options);

}  // namespace gdsim::cli
