#pragma once

#include "options/command.hpp"

#include <gdsim/run/internal_run_options.hpp>

#include <stop_token>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// The whole program with these commands: picks one, runs it, turns every failure into a message and an exit status.
/// `run_options` is the base of every run.
int command_line(int argc, const char* const* argv, const std::vector<Command>& commands,
                 const InternalRunOptions& run_options);

/// Returns true if the word is no command but a scenario's file.
bool is_file_to_run(std::string_view word);

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

// Under which commands are listed.
inline constexpr std::string_view kSeeWhatHappens = "See what happens";
inline constexpr std::string_view kMakeItFaster = "Make it faster";
inline constexpr std::string_view kCheckIt = "Compare it with what is known";
inline constexpr std::string_view kLookUp = "Look up, and begin with what you have";

/// Returns the commands that `gdsim` has without `gdsim-all`.
std::vector<Command> first_commands();

/// From now on, the first SIGINT, SIGTERM or SIGHUP (unless it is ignored, as under nohup) requests that runs end at
/// the next instant, with all their files. A signal half a second later or more ends the program at once; the next run
/// removes its left-over files. Returns the token of that request. Must be called once, before any other thread begins.
std::stop_token watch_for_interruption();

}  // namespace gdsim::cli
