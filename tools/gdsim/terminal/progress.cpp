#include "terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace gdsim::cli {
namespace {

std::string rounded(double value) {
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.0f} ", value);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

ProgressLine::ProgressLine(const Workload& workload) {
  for (const Launch& launch : workload.launches) work_groups_ += workload.kernel_of(launch).range.group_count();
}

ProgressLine::~ProgressLine() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::on_instant(const Instant& run) {
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  show(now, run);
}

void ProgressLine::show(Clock::time_point now, const Instant& run) {
  const std::uint64_t ended = run.work_groups_ended;
  const double passed = std::chrono::duration<double>(now - begun_).count();
  const std::string share =
      work_groups_ == 0
          ? std::string("copies only")
          : fmt::format("{:.1f} % of {} work-groups",
                        100.0 * static_cast<double>(ended) / static_cast<double>(work_groups_), work_groups_);
  std::string line =
      fmt::format("\r\x1b[K{}  {}events/s", share, rounded(static_cast<double>(run.facts_so_far) / passed));
  if (ended > 0)
    line +=
        "  " + duration_text(passed * static_cast<double>(work_groups_ - ended) / static_cast<double>(ended)) + " left";
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  is_shown_ = true;
}

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
