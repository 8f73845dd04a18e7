#include "oracle/program.hpp"

#include <algorithm>

namespace gdsim::oracle {

bool takes_part(const Only& only, std::uint32_t thread) {
  return std::any_of(only.threads.begin(), only.threads.end(),
                     [thread](const ThreadRange& range) { return range.first <= thread && thread <= range.last; });
}

Walk::Walk(const Program& program, std::uint32_t thread) : places_{{&program, 0, 0}}, thread_(thread) {}

const Step* Walk::next() {
  while (!places_.empty()) {
    Place& place = places_.back();
    if (place.step == place.body->size()) {
      if (place.iterations_left == 0) {
        places_.pop_back();
      } else {
        --place.iterations_left;
        place.step = 0;
      }
      continue;
    }
    const Step& step = (*place.body)[place.step++];
    if (const auto* loop = std::get_if<Loop>(&step)) {
      places_.push_back({&loop->body, 0, loop->count - 1});
    } else if (const auto* only = std::get_if<Only>(&step)) {
      if (takes_part(*only, thread_)) places_.push_back({&only->body, 0, 0});
    } else {
      return &step;
    }
  }
  return nullptr;
}

}  // namespace gdsim::oracle
