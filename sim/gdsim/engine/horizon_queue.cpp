#include <gdsim/engine/horizon_queue.hpp>

#include <array>
#include <limits>

namespace gdsim {
namespace {

/// So few are sorted faster by comparing.
constexpr std::size_t kFew = 64;

}  // namespace

void HorizonQueue::put_late(const Entry& entry) {
  late_.push_back(entry);
  std::push_heap(late_.begin(), late_.end(), kLater);
  if (++late_count_ > far_.size() + 2 * sorted_.size() + kFew) draw_back();
}

void HorizonQueue::pop_late() {
  std::pop_heap(late_.begin(), late_.end(), kLater);
  late_.pop_back();
}

/// The horizon is far too far: all wait behind it again.
void HorizonQueue::draw_back() {
  far_.insert(far_.end(), sorted_.begin() + static_cast<std::ptrdiff_t>(at_), sorted_.end());
  far_.insert(far_.end(), late_.begin(), late_.end());
  sorted_.clear();
  late_.clear();
  at_ = 0;
  late_count_ = 0;
  horizon_ = 0;
  width_ = width_ / 4 + 1;
}

/// Everyone is behind the horizon: it goes past some of them.
void HorizonQueue::advance() {
  const std::uint64_t first = std::min_element(far_.begin(), far_.end(), kEarlier)->time;
  set_width(first);
  horizon_ = first + std::min(width_, std::numeric_limits<std::uint64_t>::max() - first);
  late_count_ = 0;
  at_ = 0;
  sorted_.resize(far_.size());
  std::uint64_t last = first;
  std::size_t near = 0;
  std::size_t left = 0;
  // Everyone is written to both sides, and stays on one: that is no branch, which nobody could predict.
  for (const Entry& entry : far_) {
    const bool is_near = entry.time - first < width_;
    sorted_[near] = far_[left] = entry;
    last = std::max(last, is_near ? entry.time : first);
    near += is_near ? 1 : 0;
    left += is_near ? 0 : 1;
  }
  sorted_.resize(near);
  far_.resize(left);
  sort(first, last);
}

/// Each time, all who wait are looked at; each who is late goes through a heap. The width is what makes them cost
/// alike, or such that most are before the horizon.
void HorizonQueue::set_width(std::uint64_t first) {
  constexpr std::size_t looks_per_late = 32;
  const std::size_t looks = far_.size();
  const std::size_t late = looks_per_late * late_count_;
  if (width_ == 0) {
    const auto middle = far_.begin() + static_cast<std::ptrdiff_t>(far_.size() / 2);
    std::nth_element(far_.begin(), middle, far_.end(), kEarlier);
    width_ = middle->time - first + 1;
  } else if (late > 2 * looks) {
    width_ -= width_ / 4;
  } else if (late < looks && 4 * sorted_.size() < 3 * looks && width_ < std::numeric_limits<std::uint64_t>::max() / 2) {
    width_ += width_ / 4 + 1;
  }
}

/// By time, byte by byte of how far it lies behind the first.
void HorizonQueue::sort(std::uint64_t first, std::uint64_t last) {
  if (sorted_.size() <= kFew) {
    std::sort(sorted_.begin(), sorted_.end(), kEarlier);
    return;
  }
  spare_.resize(sorted_.size());
  for (unsigned shift = 0; shift < 64 && (last - first) >> shift != 0; shift += 8) {
    const auto byte_of = [&](const Entry& entry) { return (entry.time - first) >> shift & 0xFFU; };
    std::array<std::uint32_t, 257> begin{};
    for (const Entry& entry : sorted_) ++begin[byte_of(entry) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const Entry& entry : sorted_) spare_[begin[byte_of(entry)]++] = entry;
    sorted_.swap(spare_);
  }
}

}  // namespace gdsim
