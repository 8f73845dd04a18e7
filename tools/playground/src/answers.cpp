#include "answers.hpp"

#include "controls.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <algorithm>
#include <new>
#include <span>

namespace gdsim::playground {
namespace {

void write_texts(const std::vector<std::string>& texts, JsonWriter& json) {
  json.open_list();
  for (const std::string& text : texts) json.text(text);
  json.close_list();
}

std::vector<Diagnostic> problem(std::string message) { return {Diagnostic{"", std::move(message), "", 0, 0, ""}}; }

/// Runs the request into `kept`, or returns the problems.
std::vector<Diagnostic> run(const Request& request, std::unique_ptr<const PlaygroundRun>& kept) {
  try {
    kept = std::make_unique<const PlaygroundRun>(request);
    return {};
  } catch (const InputError& error) {
    return error.problems();
  } catch (const std::bad_alloc&) {
    return problem("this run needs more than the 1 GiB that the playground has; run it with `gdsim run`");
  } catch (const std::exception& error) {
    return problem(std::string("gdsim itself is at fault: ") + error.what());
  }
}

}  // namespace

std::string answer_json(const Request& request, std::unique_ptr<const PlaygroundRun>& kept) {
  kept.reset();
  const std::vector<Diagnostic> problems = run(request, kept);
  JsonWriter json;
  json.open_object().key("cases");
  if (const auto names = case_names(request.text)) {
    write_texts(*names, json);
  } else {
    json.none();
  }
  json.key("problems").open_list();
  const std::size_t listed = std::min(problems.size(), kMaxProblemsShown);
  for (const Diagnostic& one : std::span(problems).first(listed)) {
    json.open_object().key("line").count(one.line).key("column").count(one.column).key("place");
    json.text(one.file == request.name ? "" : one.file).key("message").text(one.message).close_object();
  }
  json.close_list().key("more").count(problems.size() - listed);
  if (kept != nullptr) {
    const ScenarioCase& one = kept->scenario();
    json.key("case").text(one.name).key("files");
    write_texts(kept->files(), json);
    json.key("controls");
    write_controls(one, json);
  }
  json.close_object();
  return json.finish();
}

}  // namespace gdsim::playground
