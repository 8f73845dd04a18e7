#include <gdsim/workload/program.hpp>

#include <string_view>
#include <unordered_set>

namespace gdsim {
namespace {

/// The name under which this step meets others; null if it meets nobody.
const std::string* meeting_name(const Step& step) {
  if (const auto* barrier = std::get_if<Barrier>(&step)) return &barrier->name;
  if (const auto* signal = std::get_if<Signal>(&step)) return &signal->name;
  if (const auto* wait = std::get_if<Wait>(&step)) return &wait->name;
  return nullptr;
}

}  // namespace

std::vector<std::string> meeting_names(const Program& program) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;  // of the program, which does not change meanwhile
  for_each_step(program, [&](const Step& step) {
    const std::string* name = meeting_name(step);
    if (name != nullptr && known.insert(*name).second) names.push_back(*name);
  });
  return names;
}

bool has_barrier(const Program& program) {
  bool found = false;
  for_each_step(program, [&](const Step& step) { found = found || meeting_name(step) != nullptr; });
  return found;
}

}  // namespace gdsim
