#pragma once

#include <gdsim/base/state_words.hpp>
#include <gdsim/record/segment.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace gdsim {

/// Looks for a period: a state that recurs. Then records what happens in the next one.
///
/// Comparing states costs; so one state is kept, of a turn whose number is a power of two (after R. P. Brent, An
/// improved Monte Carlo factorization algorithm, BIT 20, 1980), and others are told only when the last few instants
/// looked like those before it, and ever more rarely after each time when that was not enough.
class PeriodWatch {
 public:
  enum class Found : std::uint8_t {
    nothing,
    a_period,  ///< one lies behind this instant; the next is being recorded
    its_end    ///< it is recorded: here the state has recurred once more
  };

  /// Something else begins to happen: what was seen is of no use. States are told once so many facts were seen.
  void restart(std::uint64_t least_facts);
  /// Looks no more until restart().
  void give_up() { stage_ = Stage::given_up; }
  bool is_looking() const { return stage_ != Stage::given_up; }
  bool is_recording() const { return stage_ == Stage::recording; }

  /// To be told of every instant at which something happens.
  void see(Picoseconds now, std::span<const Fact> facts);
  /// To be asked after every instant with a dispatch turn. `tell_state(dispatched, words)` tells how many work-groups
  /// of each launch have been dispatched, of the same launches until restart(), and the state relative to them and to
  /// now; false if this state is not to be considered.
  template <class TellState>
  Found turn_is_over(Picoseconds now, TellState tell_state) {
    if (stage_ == Stage::given_up || !wants_state(now)) return Found::nothing;
    state_.clear();
    dispatched_.clear();
    return tell_state(dispatched_, state_) ? judge(now) : refuse();
  }

  /// The period that was recorded.
  Segment& segment() { return segment_; }

 private:
  enum class Stage : std::uint8_t { looking, recording, given_up };
  /// A state that may recur.
  struct Reference {
    Picoseconds time;
    std::uint64_t looks;
    GroupCounts dispatched;
    StateWords state;
  };

  bool looks_like_reference() const {
    return reference_ && looks_ == reference_->looks && facts_seen_ >= next_compare_;
  }
  bool wants_state(Picoseconds now);
  Found judge(Picoseconds now);
  Found refuse();
  GroupCounts dispatched_since_reference() const;
  void keep_reference(Picoseconds now);

  Stage stage_ = Stage::given_up;
  std::uint64_t looks_ = 0;  ///< of the last 4 instants
  Picoseconds last_;
  std::uint64_t turns_ = 0;
  std::uint64_t next_reference_ = 1;
  std::uint64_t facts_seen_ = 0;
  std::uint64_t least_facts_ = 0;
  std::uint64_t patience_ = 0;  ///< facts from one comparison that fails to the next
  std::uint64_t next_compare_ = 0;
  std::optional<Reference> reference_;
  GroupCounts dispatched_;
  StateWords state_;
  Segment segment_;
};

}  // namespace gdsim
