#include "answers.hpp"
#include "catalog.hpp"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// What JavaScript calls. Texts are handed over by address and size, so that they may hold anything. A call takes the
// arguments that were given since the last one.

namespace {

using namespace gdsim::playground;

/// What lives between two calls.
struct Door {
  std::vector<std::string> arguments;
  std::unique_ptr<const Play> play;
  std::string answer;
};

Door& door() {
  static Door only;
  return only;
}

std::vector<std::string> take_arguments() { return std::exchange(door().arguments, {}); }

const char* keep(std::string answer) {
  door().answer = std::move(answer);
  return door().answer.data();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void gdsim_argument(const char* text, std::size_t size) {
  door().arguments.emplace_back(text, size);
}

/// Bytes of the last answer.
EMSCRIPTEN_KEEPALIVE std::size_t gdsim_size() { return door().answer.size(); }

EMSCRIPTEN_KEEPALIVE const char* gdsim_catalog() { return keep(catalog_json()); }

/// Arguments: name, text, case; then path and value of each override. See answer_json().
EMSCRIPTEN_KEEPALIVE const char* gdsim_play() {
  const std::vector<std::string> given = take_arguments();
  Request request{given.at(0), given.at(1), given.at(2), {}};
  for (std::size_t i = 3; i + 1 < given.size(); i += 2) request.overrides.push_back({given[i], given[i + 1]});
  return keep(answer_json(request, door().play));
}

/// The page of what was played last; empty if nothing was.
EMSCRIPTEN_KEEPALIVE const char* gdsim_page() { return keep(door().play ? door().play->page() : ""); }

/// Argument: a name out of `files`. Empty if nothing was played, or there is no such file.
EMSCRIPTEN_KEEPALIVE const char* gdsim_file() {
  const std::vector<std::string> given = take_arguments();
  try {
    return keep(door().play ? door().play->file(given.at(0)) : "");
  } catch (const std::exception&) {
    return keep("");
  }
}

}  // extern "C"
