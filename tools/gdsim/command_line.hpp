#pragma once

#include <gdsim/run/run_switches.hpp>

namespace gdsim::cli {

/// The whole program: picks the subcommand, runs it, turns every failure into a message and an exit status.
/// `run_options` is the base of every run.
int command_line(int argc, const char* const* argv, const InternalRunOptions& run_options);

}  // namespace gdsim::cli
