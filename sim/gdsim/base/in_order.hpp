#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace gdsim {

/// The maximum number of threads that work at once; at least 1.
struct Jobs {
  std::size_t count = 1;
};

/// One job per hardware thread.
Jobs all_cores();

enum class Proceed : std::uint8_t { no, yes };

/// An ordered parallel-for over 0 to `count` - 1: calls `work(i)` on any of at most `jobs` threads, then `take(i)` on
/// the caller's thread, in the order of i. If results of `work` are stored by i, they are the same with any number of
/// threads.
///
/// No task begins far ahead of the tasks taken. `take` may request an end; an exception of `work` or `take` ends the
/// loop, too, in the order of i. Then no other task begins, and tasks under way are waited for. With one job, all runs
/// on the caller's thread, each task taken before the next begins. If the system starts fewer threads, fewer are used.
void parallel_for_in_order(std::size_t count, Jobs jobs, const std::function<void(std::size_t)>& work,
                           const std::function<Proceed(std::size_t)>& take);

}  // namespace gdsim
