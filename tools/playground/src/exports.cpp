#include "answers.hpp"
#include "catalog.hpp"
#include "import_files.hpp"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// The functions for JavaScript. Texts are passed by address and size, so that they may hold any bytes. A call takes the
// arguments that were passed since the last call.

namespace {

using namespace gdsim::playground;

/// The state between calls.
struct Session {
  std::vector<std::string> arguments;
  std::unique_ptr<const PlaygroundRun> run;
  std::string answer;
};

Session& session() {
  static Session only;
  return only;
}

std::vector<std::string> take_arguments() { return std::exchange(session().arguments, {}); }

const char* keep(std::string answer) {
  session().answer = std::move(answer);
  return session().answer.data();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void gdsim_argument(const char* text, std::size_t size) {
  session().arguments.emplace_back(text, size);
}

/// The size of the last answer in bytes.
EMSCRIPTEN_KEEPALIVE std::size_t gdsim_size() { return session().answer.size(); }

EMSCRIPTEN_KEEPALIVE const char* gdsim_catalog() { return keep(catalog_json()); }

/// Arguments: name, text, case; then path and value of each override. See answer_json().
EMSCRIPTEN_KEEPALIVE const char* gdsim_run() {
  const std::vector<std::string> given = take_arguments();
  Request request{given.at(0), given.at(1), given.at(2), {}};
  for (std::size_t i = 3; i + 1 < given.size(); i += 2) request.overrides.push_back({given[i], given[i + 1]});
  return keep(answer_json(request, session().run));
}

/// Arguments: the number of files; then name and bytes of each; then the words of `gdsim import`. See import_json().
EMSCRIPTEN_KEEPALIVE const char* gdsim_import() {
  std::vector<std::string> given = take_arguments();
  const std::size_t end = 1 + 2 * std::stoul(given.at(0));
  std::vector<DroppedFile> files;
  for (std::size_t i = 1; i < end; i += 2) files.push_back({given.at(i), std::move(given.at(i + 1))});
  return keep(import_json(files, {given.begin() + static_cast<std::ptrdiff_t>(end), given.end()}));
}

/// Returns the page of the last run; empty if there was none.
EMSCRIPTEN_KEEPALIVE const char* gdsim_page() { return keep(session().run ? session().run->page() : ""); }

/// Argument: a name from `files`. Returns an empty text if there was no run, or it has no such file.
EMSCRIPTEN_KEEPALIVE const char* gdsim_file() {
  const std::vector<std::string> given = take_arguments();
  try {
    return keep(session().run ? session().run->file(given.at(0)) : "");
  } catch (const std::exception&) {
    return keep("");
  }
}

}  // extern "C"
