#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace gdsim::cli {

/// What a server shows now: the last good page, and what has been wrong with the scenario since. One thread changes it,
/// any number wait for changes.
class LivePage {
 public:
  struct State {
    std::uint64_t number = 0;  ///< higher by one with every change
    std::uint64_t page = 0;    ///< the number of the page, from 1; 0: there was none yet
    std::shared_ptr<const std::string> text = {};
    std::string notice = {};  ///< empty: nothing is wrong
  };

  /// `before_first` is shown until there is a page.
  explicit LivePage(std::string before_first);

  /// The number that the next page has.
  std::uint64_t next_page() const { return now().page + 1; }
  /// A new page, with which nothing is wrong.
  void show(std::string page);
  /// The page stays. The same notice again is no change.
  void show_notice(std::string notice);
  /// Nothing changes any more: every wait ends, and no later one begins.
  void close();

  State now() const;
  /// Waits until the state's number differs from `known`, until close(), or for `timeout`; returns the current state.
  State wait_for_change(std::uint64_t known, std::chrono::milliseconds timeout) const;

 private:
  void change(State next);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  State state_;
  bool is_closed_ = false;
};

}  // namespace gdsim::cli
