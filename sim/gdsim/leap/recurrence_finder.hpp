#pragma once

#include <gdsim/leap/recent_instants.hpp>
#include <gdsim/leap/state_image.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace gdsim {

/// Looks for a state that recurs. Then records what happens in the next period.
///
/// Comparing states costs; so one is kept, of an instant whose number is a power of two (after R. P. Brent, An improved
/// Monte Carlo factorization algorithm, BIT 20, 1980), and others are looked at only when the last instants looked like
/// those before it, and ever more rarely after each time when that was not enough. The later the instant that is kept,
/// the more instants before it are compared: a quarter of all. For much of a long period may look like other parts of
/// it: on each core, one slot after the other is filled in the same order.
class RecurrenceFinder {
 public:
  enum class Found : std::uint8_t {
    nothing,
    period_found,  ///< one lies behind this instant; the next is being recorded
    period_recorded    ///< it is recorded: here the state has recurred once more
  };

  /// Something else begins to happen: what was seen is of no use. States are examined once so many events were seen.
  void restart(std::uint64_t min_events);
  /// Looks no more until restart().
  void give_up() { stage_ = Stage::given_up; }
  bool is_looking() const { return stage_ != Stage::given_up; }
  bool is_recording() const { return stage_ == Stage::recording; }

  /// To be called after every instant, with what happened at it. `take_image(image)` fills in the state; false if this
  /// state is not to be considered.
  template <class TakeImage>
  Found on_instant_end(SimTime now, std::uint64_t events, std::span<const Fact> facts, TakeImage take_image) {
    if (stage_ == Stage::given_up) return Found::nothing;
    see(now, events, facts);
    if (!wants_image(now)) return Found::nothing;
    return take_image(image_) ? compare(now) : refuse();
  }

  /// The period that was recorded, and what happened in it.
  const Period& period() const { return *period_; }
  Segment& segment() { return segment_; }

 private:
  enum class Stage : std::uint8_t { looking, recording, given_up };

  void see(SimTime now, std::uint64_t events, std::span<const Fact> facts);
  bool looks_like_reference() const {
    return has_reference_ && events_seen_ >= next_compare_ && recent_.hash_of_last(window_) == reference_hash_;
  }
  bool wants_image(SimTime now);
  Found compare(SimTime now);
  Found refuse();
  void keep_reference();

  Stage stage_ = Stage::given_up;
  RecentInstants recent_;
  SimTime last_;
  std::uint64_t instants_ = 0;
  std::uint64_t next_reference_ = 1;
  std::uint64_t events_seen_ = 0;
  std::uint64_t min_events_ = 0;
  std::uint64_t patience_ = 0;  ///< events from one comparison that fails to the next
  std::uint64_t next_compare_ = 0;
  bool has_reference_ = false;
  RecentInstants::Window window_;  ///< so many instants before the one that was kept are compared
  std::uint64_t reference_hash_ = 0;
  StateImage reference_;
  StateImage image_;
  std::optional<Period> period_;
  Segment segment_;
};

}  // namespace gdsim
