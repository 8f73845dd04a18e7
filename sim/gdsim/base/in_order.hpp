#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace gdsim {

/// How many threads may work at once; at least 1.
struct Jobs {
  std::size_t count = 1;
};

/// One for each thread that the machine runs at once.
Jobs all_cores();

enum class Proceed : std::uint8_t { no, yes };

/// An ordered parallel for over 0 to `count` - 1: `work(i)` on any of at most `jobs` threads, then `take(i)` on the
/// caller's, in the order of i. If results of `work` are kept by their number, they are the same with any number of
/// threads.
///
/// No task begins far ahead of what was taken. `take` may request an end; what `work` or `take` throws ends it, too,
/// at its turn: then no other task begins, and those under way are waited for. With one job all runs on the caller's
/// thread, each task taken before the next begins. If the system starts fewer threads, fewer are used.
void parallel_for_in_order(std::size_t count, Jobs jobs, const std::function<void(std::size_t)>& work,
                           const std::function<Proceed(std::size_t)>& take);

}  // namespace gdsim
