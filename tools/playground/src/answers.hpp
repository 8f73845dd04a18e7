#pragma once

#include "playground_run.hpp"

#include <memory>
#include <string>

namespace gdsim::playground {

/// Executes the request and keeps its run in `kept`, or leaves `kept` null. Returns JSON: `cases`, null if the text is
/// not YAML; the first kMaxProblemsShown `problems` (`line` and `column` from 1, or 0; `place`: the file or value
/// concerned, empty for the scenario itself; `message`); `more`, the number of further problems; and after a run, also
/// `case`, `files` and `controls`.
std::string answer_json(const Request& request, std::unique_ptr<const PlaygroundRun>& kept);

}  // namespace gdsim::playground
