#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace gdsim {

/// The maximum number of threads that work at once; at least 1.
struct Jobs {
  std::size_t count = 1;
};

/// Returns one job per hardware thread.
Jobs all_cores();

enum class Proceed : std::uint8_t { no, yes };

/// An ordered parallel-for over 0 to `count` - 1: calls `work(i)` on any of at most `jobs` threads, then `take(i)` on
/// the caller's thread, in the order of i. If results of `work` are stored by i, they are the same with any number of
/// threads.
///
/// `work` runs only a limited number of tasks ahead of `take`. The loop ends early if `take` requests it, or if `work`
/// or `take` throws, in the order of i. Then no other task begins, and the loop waits for the tasks that have begun.
/// With one job, everything runs on the caller's thread, and each task is taken before the next begins. If the system
/// starts fewer threads, fewer are used.
void parallel_for_in_order(std::size_t count, Jobs jobs, const std::function<void(std::size_t)>& work,
                           const std::function<Proceed(std::size_t)>& take);

}  // namespace gdsim
