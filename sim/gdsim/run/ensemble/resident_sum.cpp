#include <gdsim/run/ensemble/resident_sum.hpp>

#include <algorithm>
#include <optional>

namespace gdsim {

void ResidentSum::take(const std::vector<std::vector<ResidentChange>*>& changes, SimTime until) {
  // The next change of a device before `until`, or null.
  const auto next_of = [&](std::size_t i) -> const ResidentChange* {
    if (taken_[i] == changes[i]->size()) return nullptr;
    const ResidentChange& next = (*changes[i])[taken_[i]];
    return next.since < until ? &next : nullptr;
  };
  while (true) {
    std::optional<SimTime> first;
    for (std::size_t i = 0; i < changes.size(); ++i)
      if (const ResidentChange* next = next_of(i); next != nullptr && (!first || next->since < *first))
        first = next->since;
    if (!first) break;
    for (std::size_t i = 0; i < changes.size(); ++i)
      for (const ResidentChange* next = next_of(i); next != nullptr && next->since == *first; next = next_of(i)) {
        sum_ = sum_ - now_[i] + next->threads;
        now_[i] = next->threads;
        ++taken_[i];
      }
    peak_ = std::max(peak_, sum_);
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (2 * taken_[i] < changes[i]->size()) continue;
    changes[i]->erase(changes[i]->begin(), changes[i]->begin() + static_cast<std::ptrdiff_t>(taken_[i]));
    taken_[i] = 0;
  }
}

}  // namespace gdsim
