#include "serve/live_page.hpp"

#include <utility>

namespace gdsim::cli {

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
