#include <gdsim/program/barrier_names.hpp>

namespace gdsim {

BarrierNames::BarrierNames(const Program& program) : names_(barrier_names(program)), flags_(flag_names(program)) {
  const auto add = [&](std::optional<std::uint32_t>& position, const char* name) {
    position = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
  };
  if (has_step<GridBarrier>(program)) add(grid_, "grid barrier");
  if (has_step<WaitDependencies>(program)) add(dependencies_, "launches before it");
  for_each_step(program, [&](const Step& step) {
    const auto* signal = std::get_if<Signal>(&step);
    some_pass_initially_ = some_pass_initially_ || (signal != nullptr && signal->initially > 0);
    const auto* tiles = std::get_if<Tiles>(&step);
    if (tiles == nullptr) return;
    tile_barriers_.emplace_back();
    if (has_tile_barrier(*tiles)) add(tile_barriers_.back(), "tiles");
  });
  const std::size_t barriers = names_.size();
  for (std::uint32_t i = 0; i < flags_.size(); ++i) {
    names_.push_back(flags_[i].first);
    flag_positions_.emplace(flags_[i], i);
  }
  for (std::uint32_t i = 0; i < barriers; ++i) positions_.emplace(names_[i], i);
}

}  // namespace gdsim
