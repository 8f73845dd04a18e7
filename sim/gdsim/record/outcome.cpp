#include <gdsim/record/outcome.hpp>

namespace gdsim {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed: return "completed";
    case Outcome::stalled: return "stalled";
    case Outcome::interrupted: return "interrupted";
    case Outcome::bounded: return "bounded";
  }
  return {};
}

}  // namespace gdsim
