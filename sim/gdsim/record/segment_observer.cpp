#include <gdsim/record/segment_observer.hpp>

namespace gdsim {

void replay(const Segment& segment, std::uint64_t first, std::uint64_t last, Observer& observer) {
  Segment repetition = segment;
  repetition.move(first - 1);
  for (std::uint64_t i = first; i <= last; ++i) {
    repetition.move(1);
    for (std::size_t at = 0; at < repetition.instants(); ++at) {
      const Segment::Instant now = repetition.instant(at);
      observer.on_instant({now.time, now.facts, {}, 0, 0});
    }
  }
}

}  // namespace gdsim
