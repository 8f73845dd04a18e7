#include <gdsim/record/observer.hpp>

#include <algorithm>

namespace gdsim {

void Observer::repeated(const Segment& segment, std::uint64_t count) { replay(segment, 1, count); }

std::uint64_t Observer::most_repetitions(const Segment& segment) const {
  constexpr std::uint64_t facts_in_a_moment = std::uint64_t{1} << 20U;
  return std::max<std::uint64_t>(1, facts_in_a_moment / std::max<std::size_t>(1, segment.size()));
}

void Observer::replay(const Segment& segment, std::uint64_t first, std::uint64_t last) {
  Segment repetition = segment;
  repetition.move(first - 1);
  for (std::uint64_t i = first; i <= last; ++i) {
    repetition.move(1);
    for (std::size_t at = 0; at < repetition.instants(); ++at) {
      const Segment::Instant now = repetition.instant(at);
      instant(now.time, now.facts);
    }
  }
}

}  // namespace gdsim
