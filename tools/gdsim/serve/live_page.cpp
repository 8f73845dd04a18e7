#include "serve/live_page.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace gdsim::cli {
namespace {

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

/// The coarsest resolution of time stamps, two seconds in some file systems: a file that was written just now may be
/// written again with the same stamp.
constexpr std::int64_t kCoarsestTick = 2'000'000'000;

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

/// Returns nullopt if the file cannot be read.
std::optional<std::string> content_of(const std::filesystem::path& path) {
  try {
    return SourceFiles().read(path).text();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

WatchedFiles::WatchedFiles(const SourceFiles& sources) {
  for (const SourceText* text : sources.files()) files_.push_back({text->name(), text->text()});
}

bool WatchedFiles::have_changed() { return std::any_of(files_.begin(), files_.end(), has_changed); }

std::optional<WatchedFiles::Stamp> WatchedFiles::stamp_of(const std::filesystem::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return Stamp{found.st_dev, found.st_ino, found.st_size, nanoseconds(found.st_mtim), nanoseconds(found.st_ctim)};
}

bool WatchedFiles::has_changed(Watched& file) {
  const std::optional<Stamp> stamp = stamp_of(file.path);
  if (!stamp) return true;
  if (stamp == file.stamp) return false;
  if (content_of(file.path) != file.content) return true;
  const bool is_old = std::max(stamp->modified, stamp->changed) + kCoarsestTick < now();
  file.stamp = is_old ? stamp : std::nullopt;
  return false;
}

LivePage::LivePage(std::string before_first) {
  state_.text = std::make_shared<const std::string>(std::move(before_first));
}

void LivePage::change(State next) {
  {
    const std::lock_guard lock(mutex_);
    next.number = state_.number + 1;
    state_ = std::move(next);
  }
  changed_.notify_all();
}

void LivePage::show(std::string page) {
  State next = now();
  ++next.page;
  next.text = std::make_shared<const std::string>(std::move(page));
  next.notice.clear();
  change(std::move(next));
}

void LivePage::show_notice(std::string notice) {
  State next = now();
  if (next.notice == notice) return;
  next.notice = std::move(notice);
  change(std::move(next));
}

void LivePage::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

LivePage::State LivePage::now() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

LivePage::State LivePage::wait_for_change(std::uint64_t known, std::chrono::milliseconds timeout,
                                          unsigned int max_waiting) const {
  std::unique_lock lock(mutex_);
  if (waiting_ == max_waiting) return state_;
  ++waiting_;
  changed_.wait_for(lock, timeout, [&] { return is_closed_ || state_.number != known; });
  --waiting_;
  return state_;
}

}  // namespace gdsim::cli
