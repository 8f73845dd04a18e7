#include <gdsim/dispatch/shares/core_selections.hpp>

#include <map>

namespace gdsim {
namespace {

/// Returns a normal form: the same result for all selections of the same cores.
CoreSelection in_full(const CoreSelection& selection, std::size_t cores) {
  if (selection.empty()) return {{CoreId{0}, static_cast<CoreId>(cores - 1)}};
  return normalized(selection);
}

IndexSet set_of(const CoreSelection& selection, std::size_t cores) {
  IndexSet set(cores);
  for (const CoreRange& range : selection)
    for (std::size_t core = index_of(range.first); core <= index_of(range.last); ++core) set.insert(core);
  return set;
}

}  // namespace

CoreSelections::CoreSelections(const Workload& workload, std::size_t cores) : core_count_(cores) {
  std::map<CoreSelection, std::uint32_t> known;
  numbers_.reserve(workload.launches.size());
  for (const Launch& launch : workload.launches) {
    const CoreSelection own = !launch.is_kernel() ? CoreSelection{} : in_full(workload.cores_of(launch), cores);
    const auto [entry, is_new] = known.emplace(own, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(set_of(own, cores));
    if (is_new && !own.empty()) ++selection_count_;
    numbers_.push_back(entry->second);
  }
}

}  // namespace gdsim
