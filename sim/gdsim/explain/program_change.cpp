#include <gdsim/explain/program_change.hpp>

#include <utility>

namespace gdsim {
namespace {

bool change_steps(Program& steps, const std::function<StepChange(Step&)>& change);

Step one_picosecond() { return Compute{{Decimal::whole(1), StepTime::Unit::picoseconds}}; }

bool takes_time(const Program& body) {
  return has_step<Compute>(body) || has_step<IssueSlots>(body) || has_step<Memory>(body) || has_step<Slm>(body) ||
         has_step<Atomic>(body);
}

/// Keeps the same steps in all bodies. A tile without work left is still taken: it then takes 1 ps.
bool change_bodies(Tiles& tiles, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (std::size_t i = 0; i < tiles.body_count(); ++i) is_changed |= change_steps(tiles.body_of(i), change);
  if (is_changed && !takes_time(tiles.body))
    for (std::size_t i = 0; i < tiles.body_count(); ++i) tiles.body_of(i).push_back(one_picosecond());
  return is_changed;
}

bool change_steps(Program& steps, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  Program kept;
  for (Step& step : steps) {
    auto* loop = std::get_if<Loop>(&step);
    auto* only = std::get_if<Only>(&step);
    if (auto* tiles = std::get_if<Tiles>(&step)) {
      is_changed = change_bodies(*tiles, change) || is_changed;
      kept.push_back(std::move(step));
      continue;
    }
    Program* body = loop != nullptr ? &loop->body : only != nullptr ? &only->body : nullptr;
    const StepChange done = body == nullptr                ? change(step)
                            : !change_steps(*body, change) ? StepChange::none
                            : body->empty()                ? StepChange::removed
                                                           : StepChange::changed;
    is_changed = is_changed || done != StepChange::none;
    if (done != StepChange::removed) kept.push_back(std::move(step));
  }
  steps = std::move(kept);
  return is_changed;
}

}  // namespace

bool change_program(Program& program, const std::function<StepChange(Step&)>& change) {
  const bool is_changed = change_steps(program, change);
  if (program.empty()) program.push_back(one_picosecond());
  return is_changed;
}

bool change_programs(Kernel& kernel, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) is_changed |= change_program(kernel.program_of(i), change);
  return is_changed;
}

bool change_programs(Scenario& scenario, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (Kernel& kernel : scenario.workload.kernels) is_changed |= change_programs(kernel, change);
  return is_changed;
}

}  // namespace gdsim
