#include "terminal/count_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace gdsim::cli {

CountProgress::~CountProgress() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
}

void CountProgress::show(std::uint64_t done, std::uint64_t all) {
  if (is_first_) first_ = done;
  is_first_ = false;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = static_cast<double>(std::max<std::uint64_t>(done - first_, 1)) / seconds;
  std::string line = fmt::format("\r\x1b[K{} of {} {}  ", done, all, things_);
  if (rate >= 1) line += fmt::format("{:.0f} {}/s  ", rate, things_);
  line += fmt::format("{:.0f} s left", static_cast<double>(all - done) / rate);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  is_shown_ = true;
}

}  // namespace gdsim::cli
