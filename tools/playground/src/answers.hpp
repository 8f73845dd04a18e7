#pragma once

#include "playground_run.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gdsim::playground {

/// Executes the request and keeps its run in `kept`, or leaves `kept` null. Returns JSON: `cases`, null if the text is
/// not YAML; the first kMaxProblemsShown `problems` (`line` and `column` from 1, or 0; `place`: the file or value
/// concerned, empty for the scenario itself; `message`); `more`, the number of further problems; and after a run, also
/// `case`, `files` and `controls`.
std::string answer_json(const Request& request, std::unique_ptr<const PlaygroundRun>& kept);

/// Does what the command does; returns the problems with which it ended, or none.
std::vector<Diagnostic> problems_of(const std::function<void()>& act, const std::string& command);

/// Writes the value of a key: a list of texts.
void write_texts(const std::vector<std::string>& texts, JsonWriter& json);

/// Writes the keys `problems` and `more` of an answer. `own` is the file whose name is left out.
void write_problems(const std::vector<Diagnostic>& problems, const std::string& own, JsonWriter& json);

}  // namespace gdsim::playground
