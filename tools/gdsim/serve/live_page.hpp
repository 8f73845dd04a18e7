#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Checks whether the files of a scenario still hold what was read. It looks them up by name and polls them: editors
/// may replace files, and not every file system reports changes. For one thread at a time.
class WatchedFiles {
 public:
  /// Watches all files that were read. The texts need not outlive this.
  explicit WatchedFiles(const SourceFiles& sources);

  /// Returns true if one of them has changed or cannot be read any more.
  bool have_changed();

 private:
  /// The facts about a file that the file system gives without reading it.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified = 0;  ///< nanoseconds, as are all times
    std::int64_t changed = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Watched {
    std::filesystem::path path;
    std::string content;
    std::optional<Stamp> stamp = {};  ///< its stamp with this content, if any later change has another stamp
  };

  static std::optional<Stamp> stamp_of(const std::filesystem::path& path);
  static bool has_changed(Watched& file);

  std::vector<Watched> files_;
};

/// The state that a server shows: the last good page, and a notice if the scenario has had a problem since. One thread
/// changes it; any number of threads wait for changes.
class LivePage {
 public:
  struct State {
    std::uint64_t number = 0;  ///< higher by one with every change
    std::uint64_t page = 0;    ///< the number of the page, from 1; 0: no page yet
    std::shared_ptr<const std::string> text = {};
    std::string notice = {};  ///< empty: nothing is wrong
  };

  /// `before_first` is shown until there is a page.
  explicit LivePage(std::string before_first);

  /// Returns the number of the next page.
  std::uint64_t next_page() const { return now().page + 1; }
  /// Shows a new page without a notice.
  void show(std::string page);
  /// Shows a notice beside the page, which stays. An equal notice is not a change.
  void show_notice(std::string notice);
  /// Ends all changes: every wait returns, and later waits return at once.
  void close();

  State now() const;
  /// Waits until the state's number differs from `known`, until close(), or for `timeout`, or not at all if
  /// `max_waiting` threads wait; returns the current state.
  State wait_for_change(std::uint64_t known, std::chrono::milliseconds timeout, unsigned int max_waiting) const;

 private:
  void change(State next);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable unsigned int waiting_ = 0;
  State state_;
  bool is_closed_ = false;
};

}  // namespace gdsim::cli
