#include "terminal/sweep_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace gdsim::cli {

SweepProgress::~SweepProgress() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
}

void SweepProgress::show(std::uint64_t done, std::uint64_t all) {
  if (is_first_) first_ = done;
  is_first_ = false;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = static_cast<double>(std::max<std::uint64_t>(done - first_, 1)) / seconds;
  std::fputs(fmt::format("\r\x1b[K{} of {} points  {:.0f} points/s  {:.0f} s left", done, all, rate,
                         static_cast<double>(all - done) / rate)
                 .c_str(),
             stderr);
  std::fflush(stderr);
  is_shown_ = true;
}

}  // namespace gdsim::cli
