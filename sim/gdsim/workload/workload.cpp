#include <gdsim/workload/workload.hpp>

#include <algorithm>

namespace gdsim {

const Kernel& Workload::no_kernel() {
  static const Kernel kernel = [] {
    Kernel nothing;
    nothing.range.global = {0, 1, 1};
    nothing.sub_group = 1;
    return nothing;
  }();
  return kernel;
}

const CoreSelection& Workload::cores_of(const Launch& launch) const {
  static const CoreSelection all;
  if (!launch.is_kernel()) return all;
  const CoreSelection& own = launch.as_kernel().cores;
  const Queue* queue = queue_of(launch);
  return own.empty() && queue != nullptr ? queue->cores : own;
}

std::uint32_t Workload::priority_of(const Launch& launch) const {
  const Queue* queue = queue_of(launch);
  const std::uint32_t of_queue = queue != nullptr ? queue->priority : 0;
  return launch.is_kernel() ? launch.as_kernel().priority.value_or(of_queue) : of_queue;
}

CoreSelection normalized(CoreSelection selection) {
  std::sort(selection.begin(), selection.end());
  CoreSelection merged;
  for (const CoreRange& range : selection) {
    if (!merged.empty() && index_of(range.first) <= index_of(merged.back().last) + 1) {
      merged.back().last = std::max(merged.back().last, range.last);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

bool lies_within(const CoreSelection& inner, const CoreSelection& outer) {
  if (outer.empty()) return true;
  if (inner.empty()) return false;
  return std::all_of(inner.begin(), inner.end(), [&](const CoreRange& range) {
    return std::any_of(outer.begin(), outer.end(),
                       [&](const CoreRange& o) { return o.first <= range.first && range.last <= o.last; });
  });
}

}  // namespace gdsim
