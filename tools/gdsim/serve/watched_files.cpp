#include "serve/watched_files.hpp"

#include <sys/stat.h>

#include <gdsim/base/diagnostic.hpp>

#include <algorithm>
#include <ctime>

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

}  // namespace gdsim::cli
