#pragma once

#include "playground_run.hpp"

#include <memory>
#include <string>

namespace gdsim::playground {

/// Executes the request and keeps its run in `kept`, or leaves nothing there. Returns JSON: `cases`, null if the
/// text is no YAML; `problems` (`line` and `column` from 1, or 0; `place`: the file or value that is meant, empty for
/// the scenario itself; `message`), of which the first kMaxProblemsShown are listed and `more` are not; of what ran,
/// also `case`, `files` and `controls`.
std::string answer_json(const Request& request, std::unique_ptr<const PlaygroundRun>& kept);

}  // namespace gdsim::playground
