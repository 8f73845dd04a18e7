#pragma once

#include "options/command.hpp"

#include <gdsim/run/internal_run_options.hpp>

#include <vector>

namespace gdsim::cli {

/// The whole program with these commands: picks one, runs it, turns every failure into a message and an exit status.
/// `run_options` is the base of every run.
int command_line(int argc, const char* const* argv, const std::vector<Command>& commands,
                 const InternalRunOptions& run_options);

}  // namespace gdsim::cli
