#include "answers.hpp"

#include "controls.hpp"
#include "terminal/program.hpp"

#include <algorithm>
#include <new>
#include <span>

namespace gdsim::playground {
namespace {

std::vector<Diagnostic> problem(std::string message) { return {Diagnostic{"", std::move(message), "", 0, 0, ""}}; }

}  // namespace

std::vector<Diagnostic> problems_of(const std::function<void()>& act, const std::string& command) {
  try {
    act();
    return {};
  } catch (const InputError& error) {
    return error.problems();
  } catch (const cli::UsageError& error) {
    return problem(error.what());
  } catch (const std::bad_alloc&) {
    return problem("this " + command + " needs more than the 1 GiB that the playground has; do it with `gdsim " +
                   command + "`");
  } catch (const std::exception& error) {
    return problem(std::string("gdsim itself is at fault: ") + error.what());
  }
}

void write_texts(const std::vector<std::string>& texts, JsonWriter& json) {
  json.open_list();
  for (const std::string& text : texts) json.text(text);
  json.close_list();
}

void write_problems(const std::vector<Diagnostic>& problems, const std::string& own, JsonWriter& json) {
  json.key("problems").open_list();
  const std::size_t listed = std::min(problems.size(), kMaxProblemsShown);
  for (const Diagnostic& one : std::span(problems).first(listed)) {
    json.open_object().key("line").count(one.line).key("column").count(one.column).key("place");
    json.text(one.file == own ? "" : one.file).key("message").text(one.message).close_object();
  }
  json.close_list().key("more").count(problems.size() - listed);
}

std::string answer_json(const Request& request, std::unique_ptr<const PlaygroundRun>& kept) {
  kept.reset();
  const std::vector<Diagnostic> problems =
      problems_of([&] { kept = std::make_unique<const PlaygroundRun>(request); }, "run");
  JsonWriter json;
  json.open_object().key("cases");
  if (const auto names = case_names(request.text)) {
    write_texts(*names, json);
  } else {
    json.none();
  }
  write_problems(problems, request.name, json);
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
