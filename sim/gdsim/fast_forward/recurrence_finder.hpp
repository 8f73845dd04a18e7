#pragma once

#include <gdsim/fast_forward/recent_instants.hpp>
#include <gdsim/fast_forward/state_image.hpp>
#include <gdsim/record/segment.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

namespace gdsim {

/// Searches for a state that recurs, and then records the next period.
///
/// Comparing states is expensive. So only one state is kept as a reference: that of an instant whose number is a power
/// of two (after R. P. Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980). A later state is compared
/// with the reference only if the last instants have the same fingerprints as the instants before the reference. Each
/// failed comparison delays the next. The number of instants that are compared is a quarter of all instants up to the
/// reference, because parts of a long period may look alike: on each core, the slots are filled in the same order.
class RecurrenceFinder {
 public:
  enum class Found : std::uint8_t {
    nothing,
    period_found,    ///< a period ends at this instant; from now on, the next one is recorded
    period_recorded  ///< that period is recorded, and the state has recurred once more
  };

  /// Starts a new search, because the behaviour has changed. States are examined only after `min_events` events.
  void restart(std::uint64_t min_events);
  /// Ends the search until restart().
  void give_up() { stage_ = Stage::given_up; }
  bool is_looking() const { return stage_ != Stage::given_up; }
  bool is_recording() const { return stage_ == Stage::recording; }

  /// Must be called after every instant, with its facts. `take_image(image)` must fill in the state and return true, or
  /// return false if this state must not be considered.
  template <class TakeImage>
  Found on_instant_end(SimTime now, std::uint64_t events, std::span<const Fact> facts, TakeImage take_image) {
    if (stage_ == Stage::given_up) return Found::nothing;
    see(now, events, facts);
    if (stage_ == Stage::recording) record(now, facts);
    if (stage_ == Stage::given_up || !wants_image(now)) return Found::nothing;
    if (stage_ == Stage::looking && !can_afford_image()) return Found::nothing;
    if (!take_image(image_)) return refuse();
    image_words_ = image_.words.size();
    words_left_ -= static_cast<std::int64_t>(image_words_);
    return compare(now);
  }
  /// Increases the budget for images, because fast-forwarding has saved `events` events.
  void credit_saved_events(std::uint64_t events) {
    constexpr std::uint64_t enough = 1'000'000;
    words_left_ += static_cast<std::int64_t>(kWordsPerEvent * std::min(events, enough));
  }
  /// Returns the approximate number of events of the recorded period.
  std::uint64_t period_events() const { return period_events_; }

  /// Return the recorded period and its instants.
  const Period& period() const { return *period_; }
  Segment& segment() { return segment_; }

 private:
  enum class Stage : std::uint8_t { looking, recording, given_up };

  void see(SimTime now, std::uint64_t events, std::span<const Fact> facts);
  void record(SimTime now, std::span<const Fact> facts);
  bool looks_like_reference() const {
    return has_reference_ && last_word_ == reference_word_ && events_seen_ >= next_compare_ &&
           recent_.hash_of_last(window_) == reference_hash_;
  }
  bool wants_image(SimTime now) const {
    if (stage_ == Stage::recording) return now >= reference_.time + period_->shift.time;
    return events_seen_ >= min_events_ && (instants_ >= next_reference_ || looks_like_reference());
  }
  /// Returns true if another image keeps the cost of all images, except the first few, below a fixed part of the run.
  bool can_afford_image() const { return words_left_ >= static_cast<std::int64_t>(image_words_); }
  Found compare(SimTime now);
  Found refuse();
  void keep_reference();

  /// The minimum number of instants that are compared: fewer may look alike by chance.
  static constexpr std::uint64_t kMinWindow = 4;
  /// The number of image words that each event adds to the budget. A word costs at most a tenth of an event, so images
  /// take at most a fifth of the time.
  static constexpr std::uint64_t kWordsPerEvent = 2;
  /// The initial budget of words: that of some ten thousand events.
  static constexpr std::int64_t kFirstWords = 55'000;

  Stage stage_ = Stage::given_up;
  std::int64_t words_left_ = kFirstWords;  ///< the budget for images
  std::size_t image_words_ = 0;            ///< the size of the last image
  std::uint64_t period_events_ = 0;
  std::uint64_t reference_events_ = 0;  ///< number of events up to the reference
  RecentInstants recent_;
  SimTime last_;
  std::uint64_t last_word_ = 0;  ///< the fingerprint of the last instant
  std::uint64_t instants_ = 0;
  std::uint64_t next_reference_ = kMinWindow;
  std::uint64_t events_seen_ = 0;
  std::uint64_t min_events_ = 0;
  std::uint64_t patience_ = 0;  ///< number of events from a failed comparison to the next
  std::uint64_t next_compare_ = 0;
  bool has_reference_ = false;
  RecentInstants::Window window_;  ///< the instants before the reference that are compared
  std::uint64_t reference_hash_ = 0;
  std::uint64_t reference_word_ = 0;  ///< the fingerprint of the reference's instant
  StateImage reference_;
  StateImage image_;
  std::optional<Period> period_;
  Segment segment_;
};

inline void RecurrenceFinder::see(SimTime now, std::uint64_t events, std::span<const Fact> facts) {
  constexpr std::uint64_t mixing = 0xBF58'476D'1CE4'E5B9U;
  std::uint64_t word = static_cast<std::uint64_t>((now - last_).count) * mixing;
  word ^= (events << 48U) ^ (std::uint64_t{facts.size()} << 32U);
  if (!facts.empty()) word ^= (index_of(facts.front().core) << 16U) ^ index_of(facts.back().core);
  word = (word ^ (word >> 29U)) * mixing;
  last_word_ = word ^ (word >> 32U);
  recent_.add(last_word_);
  last_ = now;
  ++instants_;
  events_seen_ += events;
  words_left_ += static_cast<std::int64_t>(kWordsPerEvent * events);
}

}  // namespace gdsim
