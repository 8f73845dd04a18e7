#include <gdsim/workload/workload.hpp>

#include <algorithm>

namespace gdsim {

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
