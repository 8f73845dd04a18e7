#include <gdsim/fast_forward/ladder_queue.hpp>

#include <gdsim/fast_forward/sort_by_bits.hpp>

#include <bit>
#include <functional>

namespace gdsim {
namespace {

/// Up to this number, sorting by comparison is faster.
constexpr std::size_t kFew = 64;

constexpr auto kLater = [](const LadderQueue::Entry& a, const LadderQueue::Entry& b) { return b.time < a.time; };

unsigned width_of(std::uint64_t number) { return static_cast<unsigned>(std::bit_width(number)); }

}  // namespace

LadderQueue::LadderQueue(std::uint32_t members)
    : member_bits_(std::max(1U, width_of(members))),
      reach_(kNone >> (member_bits_ + 1)),
      sorted_(members + std::size_t{1}, kNone),
      far_(members),
      spare_(members + std::size_t{1}) {}

/// Adds an entry whose time is before the horizon or does not fit into a key.
void LadderQueue::put_aside(std::uint64_t time, std::uint32_t member) {
  if (time >= horizon_) {
    work_ += width_of(overflow_.size());
    overflow_.push_back({time, member});
    std::push_heap(overflow_.begin(), overflow_.end(), kLater);
    return;
  }
  work_ += width_of(late_.size());
  late_.push_back(key(time, member));
  std::push_heap(late_.begin(), late_.end(), std::greater());
  if (++late_count_ > far_count_ + 2 * sorted_count_ + kFew) draw_back();
}

void LadderQueue::pop_late() {
  work_ += width_of(late_.size());
  std::pop_heap(late_.begin(), late_.end(), std::greater());
  late_.pop_back();
}

/// Moves the horizon back, because it is much too far away: all entries are beyond it again.
void LadderQueue::draw_back() {
  work_ += sorted_count_ - at_ + late_.size();
  for (; at_ < sorted_count_; ++at_) far_[far_count_++] = sorted_[at_];
  for (const Key late : late_) far_[far_count_++] = late;
  late_.clear();
  late_count_ = 0;
  horizon_ = base_;
  width_ = width_ / 4 + 1;
}

/// Moves the horizon past some entries. All entries must be beyond it.
void LadderQueue::advance() {
  set_width();
  late_count_ = 0;
  if (horizon_ - base_ > max_width()) move_base(horizon_);
  part(first_key_at(horizon_));
  if (sorted_count_ == 0) {
    horizon_ = first_far();
    move_base(horizon_);
    part(0);
  }
  const Key start = first_key_at(horizon_);
  horizon_ += std::min(width_, std::numeric_limits<std::uint64_t>::max() - horizon_);
  sort(start);
}

/// Each advance examines all entries beyond the horizon; each late entry goes through a heap. The width is chosen to
/// balance both costs, or to bring most entries before the horizon.
void LadderQueue::set_width() {
  constexpr std::size_t looks_per_late = 128;
  const std::size_t looks = far_count_;
  const std::size_t late = looks_per_late * late_count_;
  if (width_ == 0) {
    move_base(first_far());
    horizon_ = base_;
    const auto middle = far_.begin() + static_cast<std::ptrdiff_t>(far_count_ / 2);
    std::nth_element(far_.begin(), middle, far_.begin() + static_cast<std::ptrdiff_t>(far_count_));
    width_ = time_of(*middle) - base_ + 1;
    work_ += 3 * far_count_;  // on average
  } else if (late > 2 * looks) {
    width_ -= width_ / 4;
  } else if (late < looks && 4 * sorted_count_ < 3 * looks) {
    width_ += width_ / 4 + 1;
  }
  width_ = std::min(width_, max_width());
}

/// Returns the earliest time beyond the horizon.
std::uint64_t LadderQueue::first_far() {
  const std::uint64_t first = overflow_.empty() ? std::numeric_limits<std::uint64_t>::max() : overflow_.front().time;
  if (far_count_ == 0) return first;
  work_ += far_count_;
  return std::min(first,
                  time_of(*std::min_element(far_.begin(), far_.begin() + static_cast<std::ptrdiff_t>(far_count_))));
}

/// Sets base_: keys become distances from `time`.
void LadderQueue::move_base(std::uint64_t time) {
  const Key distance = (time - base_) << member_bits_;
  for (std::size_t i = 0; i < far_count_; ++i) far_[i] -= distance;
  work_ += far_count_;
  base_ = time;
  while (!overflow_.empty() && overflow_.front().time - base_ <= reach_) {
    work_ += width_of(overflow_.size());
    far_[far_count_++] = key(overflow_.front().time, overflow_.front().member);
    std::pop_heap(overflow_.begin(), overflow_.end(), kLater);
    overflow_.pop_back();
  }
}

/// Moves the entries from `start` up to the width from far_ to sorted_. Each entry is written to both and kept in one,
/// which avoids an unpredictable branch.
void LadderQueue::part(Key start) {
  const Key end = start + (width_ << member_bits_);
  Key* far = far_.data();
  Key* sorted = sorted_.data();
  std::size_t near = 0;
  std::size_t left = 0;
  work_ += far_count_;
  for (std::size_t i = 0; i < far_count_; ++i) {
    const Key key = far[i];
    sorted[near] = far[left] = key;
    near += key < end ? 1 : 0;
    left += key < end ? 0 : 1;
  }
  sorted_[near] = kNone;
  sorted_count_ = near;
  far_count_ = left;
  at_ = 0;
}

/// Sorts by radix, only by the upper digits if these distinguish nearly all entries.
void LadderQueue::sort(Key start) {
  if (sorted_count_ <= kFew) {
    work_ += sorted_count_ * width_of(sorted_count_);
    std::sort(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(sorted_count_));
    return;
  }
  const unsigned top = width_of(width_) + member_bits_;
  const unsigned distinguishing = width_of(sorted_count_) + 5;
  sort_by_digits(start, std::max(member_bits_, top - std::min(top, distinguishing)), top);
  if (!mend()) sort_by_digits(start, member_bits_, top);
}

/// Sorts by the digits in bits `from` to `to` - 1 of the distance of a key from `start`.
void LadderQueue::sort_by_digits(Key start, unsigned from, unsigned to) {
  const unsigned digits =
      sort_by_bits(sorted_, spare_, sorted_count_, from, to, [start](Key key) { return key - start; });
  work_ += digits * (2 * sorted_count_ + (std::size_t{1} << kSortDigitBits));
  sorted_[sorted_count_] = kNone;
}

/// Sorts keys by insertion, which is fast if they are nearly in order. Returns false if they are not.
bool LadderQueue::mend() {
  std::size_t moves = 0;
  Key* const keys = sorted_.data();
  work_ += sorted_count_;
  for (std::size_t i = 1, count = sorted_count_; i < count; ++i) {
    if (keys[i - 1] <= keys[i]) [[likely]]
      continue;
    const Key key = keys[i];
    std::size_t to = i;
    for (; to > 0 && key < keys[to - 1]; --to) keys[to] = keys[to - 1];
    keys[to] = key;
    moves += i - to;
    work_ += i - to;
    if (moves > count) return false;
  }
  return true;
}

}  // namespace gdsim
