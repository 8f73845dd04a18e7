#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/record/time_use.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gdsim {

/// Returns the kind of the time in an op during which a thread does not wait.
inline constexpr Activity executing_beside(Activity waiting) {
  return waiting == Activity::memory ? Activity::access : Activity::executing;
}

/// The time use of threads by core and kernel. Memory grows only with kernels that used time: the kernels of a core
/// share small pages, which are created when a time is booked on them.
class TimeLedger {
 public:
  TimeLedger(std::size_t cores, std::size_t kernels);

  /// Books `picoseconds` for each of `threads` threads.
  void book(CoreId core, KernelId kernel, Activity kind, std::uint32_t threads, std::int64_t picoseconds) {
    book(core, kernel, kind, product(threads, picoseconds));
  }
  void book(CoreId core, KernelId kernel, Activity kind, Int128 thread_picoseconds) {
    use_of(core, kernel).add(kind, thread_picoseconds);
  }

  TimeUse total_of(CoreId core, KernelId kernel) const;

  /// Books `all` picoseconds on an op that would have taken `executing` picoseconds without contention. The rest is
  /// booked as `waiting`. `executing` may exceed `all` because of rounding.
  void book_work(CoreId core, KernelId kernel, Activity waiting, std::uint32_t threads, std::int64_t all,
                 std::int64_t executing) {
    TimeUse& use = use_of(core, kernel);
    use.add(executing_beside(waiting), product(threads, std::min(executing, all)));
    if (executing < all) use.add(waiting, product(threads, all - executing));
  }

  /// Returns the uses by core, then kernel, without empty ones. Must be the last call.
  std::vector<CoreTimeUse> take_uses();

 private:
  static constexpr std::int64_t kNoPage = std::numeric_limits<std::int64_t>::min();

  static Int128 product(std::int64_t threads, std::int64_t picoseconds) { return Int128{threads} * picoseconds; }
  TimeUse& use_of(CoreId core, KernelId kernel) {
    std::int64_t& shift = shifts_[page_of(index_of(core), index_of(kernel))];
    if (shift == kNoPage) shift = add_page(index_of(kernel));
    return uses_[place_of(shift, index_of(kernel))];
  }
  std::size_t page_of(std::size_t core, std::size_t kernel) const {
    return core * pages_per_core_ + (kernel >> page_bits_);
  }
  static std::size_t place_of(std::int64_t shift, std::size_t kernel) {
    return static_cast<std::size_t>(shift + static_cast<std::int64_t>(kernel));
  }
  std::int64_t add_page(std::size_t kernel);
  template <class Visit>
  void visit_uses(Visit visit) const;

  std::size_t cores_;
  std::size_t kernels_;
  unsigned page_bits_ = 0;  ///< log2 of the number of kernels of a page
  std::size_t pages_per_core_;
  std::vector<std::int64_t> shifts_;  ///< by core, then page: offset from a kernel's number to its position in uses_
  std::vector<TimeUse> uses_;
};

}  // namespace gdsim
