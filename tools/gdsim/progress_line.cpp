#include "progress_line.hpp"

#include <fmt/format.h>

#include <cstdio>

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

void ProgressLine::instant(Picoseconds, std::span<const Fact> facts) {
  constexpr std::uint64_t instants_between_looks = 256;
  happenings_ += facts.size();
  for (const Fact& fact : facts) ended_ += fact.closes_group ? 1 : 0;
  if (++instants_ % instants_between_looks == 0) show_if_due();
}

void ProgressLine::handed_on(std::uint64_t work_groups) {
  constexpr std::uint64_t facts_of_each = 3;  // one ends and gives back, the next is placed
  happenings_ += facts_of_each * work_groups;
  ended_ += work_groups;
  show_if_due();
}

void ProgressLine::repeated(const Segment& segment, std::uint64_t count) {
  happenings_ += count * segment.size();
  ended_ += count * segment.work_groups();
  show_if_due();
}

void ProgressLine::show_if_due() {
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  show(now);
}

void ProgressLine::show(Clock::time_point now) {
  const double passed = std::chrono::duration<double>(now - begun_).count();
  std::string line = fmt::format("\r\x1b[K{:.1f} % of {} work-groups  {}events/s",
                                 100.0 * static_cast<double>(ended_) / static_cast<double>(work_groups_), work_groups_,
                                 rounded(static_cast<double>(happenings_) / passed));
  if (ended_ > 0)
    line += "  " + duration_text(passed * static_cast<double>(work_groups_ - ended_) / static_cast<double>(ended_)) +
            " left";
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  is_shown_ = true;
}

}  // namespace gdsim::cli
