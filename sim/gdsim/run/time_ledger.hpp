#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/run/program_plan.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

/// What the threads of each core and kernel did with their time.
class TimeLedger {
 public:
  TimeLedger(std::size_t cores, std::size_t kernels) : kernels_(kernels), uses_(cores * kernels) {}

  /// `threads` threads spent so long on something.
  void book(CoreId core, KernelId kernel, TimeKind kind, std::uint32_t threads, std::int64_t picoseconds) {
    uses_[index_of(core) * kernels_ + index_of(kernel)].add(kind, Int128{threads} * picoseconds);
  }

  void book(CoreId core, KernelId kernel, TimeKind kind, Int128 thread_picoseconds) {
    uses_[index_of(core) * kernels_ + index_of(kernel)].add(kind, thread_picoseconds);
  }
  const TimeUse& of(CoreId core, KernelId kernel) const { return uses_[index_of(core) * kernels_ + index_of(kernel)]; }

  /// By core.
  std::vector<TimeUse> of_kernel(KernelId kernel) const {
    std::vector<TimeUse> uses;
    for (std::size_t i = index_of(kernel); i < uses_.size(); i += kernels_) uses.push_back(uses_[i]);
    return uses;
  }

  /// They spent `all` picoseconds on an op of this kind, which alone would have taken `executing`: the rest was waiting
  /// for what it uses. `executing` may be more by what was rounded up.
  void book_work(CoreId core, KernelId kernel, OpKind op, std::uint32_t threads, std::int64_t all,
                 std::int64_t executing) {
    executing = std::min(executing, all);
    book(core, kernel, TimeKind::executing, threads, executing);
    if (executing < all) book(core, kernel, waiting_for(op), threads, all - executing);
  }

  /// By core, then kernel.
  std::vector<TimeUse> take() { return std::move(uses_); }

 private:
  static TimeKind waiting_for(OpKind op) {
    return op == OpKind::issue ? TimeKind::issue : op == OpKind::slm ? TimeKind::slm : TimeKind::memory;
  }

  std::size_t kernels_;
  std::vector<TimeUse> uses_;
};

}  // namespace gdsim
