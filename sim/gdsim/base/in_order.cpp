#include <gdsim/base/in_order.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace gdsim {
namespace {

/// Tasks shared by several threads. A task may begin only if fewer than `window` tasks before it have not been taken:
/// this limits the number of results in memory.
class Tasks {
 public:
  Tasks(std::size_t count, std::size_t window, const std::function<void(std::size_t)>& work)
      : window_(window), work_(work), done_(count) {}

  /// The loop of each worker thread.
  void help() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return nothing_to_begin() || next_ < taken_ + window_; });
      if (nothing_to_begin()) return;
      const std::size_t task = next_++;
      lock.unlock();
      std::exception_ptr error;
      try {
        work_(task);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      done_[task] = {true, error};
      changed_.notify_all();
    }
  }

  /// Waits for `task`, and rethrows its exception.
  void wait_for(std::size_t task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, task] { return done_[task].is_over; });
    if (done_[task].error) std::rethrow_exception(done_[task].error);
  }

  void was_taken() {
    const std::lock_guard lock(mutex_);
    ++taken_;
    changed_.notify_all();
  }

  void begin_no_more() {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }

 private:
  struct Done {
    bool is_over = false;
    std::exception_ptr error;
  };

  bool nothing_to_begin() const { return is_over_ || next_ == done_.size(); }

  std::size_t window_;
  const std::function<void(std::size_t)>& work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Done> done_;  ///< by task
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  bool is_over_ = false;
};

/// Up to `size` worker threads, fewer if the system starts no more. The destructor lets no further task begin, then
/// joins the threads.
class WorkerPool {
 public:
  WorkerPool(Tasks& tasks, std::size_t size) : tasks_(tasks) {
    try {
      threads_.reserve(size);
      while (threads_.size() < size) threads_.emplace_back([&tasks] { tasks.help(); });
    } catch (const std::system_error&) {  // the system starts no more threads: fewer do the work
    } catch (const std::bad_alloc&) {     // no memory for another thread
    }
  }
  ~WorkerPool() {
    tasks_.begin_no_more();
    for (std::thread& thread : threads_) thread.join();
  }
  bool is_empty() const { return threads_.empty(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

 private:
  Tasks& tasks_;
  std::vector<std::thread> threads_;  // libc++ 13 (used by the playground) has no std::jthread
};

}  // namespace

Jobs all_cores() { return {std::max(1U, std::thread::hardware_concurrency())}; }

void parallel_for_in_order(std::size_t count, Jobs jobs, const std::function<void(std::size_t)>& work,
                           const std::function<Proceed(std::size_t)>& take) {
  const auto run_serially = [&] {
    for (std::size_t task = 0; task < count; ++task) {
      work(task);
      if (take(task) == Proceed::no) return;
    }
  };
  const std::size_t threads = std::min(jobs.count, count);
  if (threads <= 1) return run_serially();
  Tasks tasks(count, 2 * threads, work);
  const WorkerPool workers(tasks, threads);
  if (workers.is_empty()) return run_serially();
  for (std::size_t task = 0; task < count; ++task) {
    tasks.wait_for(task);
    if (take(task) == Proceed::no) return;
    tasks.was_taken();
  }
}

}  // namespace gdsim
