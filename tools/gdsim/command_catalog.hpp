#pragma once

#include "options/command.hpp"

#include <string>
#include <vector>

namespace gdsim::cli {

/// Returns every subcommand. Help, man pages and completions are made from this list; help shows it by group.
std::vector<Command> all_commands();

/// What gdsim is, in one sentence.
inline constexpr const char* kGdsimSummary =
    "gdsim simulates how a GPU dispatches work-groups onto its cores, and how full it is at every moment.";

/// Examples of the whole program.
inline constexpr const char* kGdsimExamples =
    "  gdsim run scenarios/vector_add4.yaml\n"
    "  gdsim check scenarios/*.yaml\n"
    "  gdsim occupancy --device a100-80gb --local 256 --sub-group 32 --registers 72";

}  // namespace gdsim::cli
