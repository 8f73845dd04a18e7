#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gdsim {

/// A vector that takes 8 bytes while it is empty: for members that most of a million values leave empty. Like a
/// vector, it may be read by any number of threads, and changed by one alone.
///
///     gdsim::Launch launch;
///     launch.after = {gdsim::LaunchId{0}};
///     launch.after.push_back(gdsim::LaunchId{1});
template <class T>
class LazyVector {
 public:
  using value_type = T;
  using const_iterator = const T*;

  LazyVector() = default;
  LazyVector(std::initializer_list<T> values) : LazyVector(std::vector<T>(values)) {}
  LazyVector(std::vector<T> values) : values_(values.empty() ? nullptr : new std::vector<T>(std::move(values))) {}
  LazyVector(const LazyVector& other) : values_(other.empty() ? nullptr : new std::vector<T>(*other.values_)) {}
  LazyVector(LazyVector&& other) noexcept : values_(std::exchange(other.values_, nullptr)) {}
  LazyVector& operator=(LazyVector other) noexcept {
    std::swap(values_, other.values_);
    return *this;
  }
  ~LazyVector() { delete values_; }

  bool empty() const { return values_ == nullptr || values_->empty(); }
  std::size_t size() const { return values_ == nullptr ? 0 : values_->size(); }
  const T* begin() const { return values_ == nullptr ? nullptr : values_->data(); }
  const T* end() const { return begin() + size(); }
  T* begin() { return values_ == nullptr ? nullptr : values_->data(); }
  T* end() { return begin() + size(); }
  const T& operator[](std::size_t i) const { return (*values_)[i]; }

  void push_back(const T& value) {
    if (values_ == nullptr) values_ = new std::vector<T>();
    values_->push_back(value);
  }
  void clear() { delete std::exchange(values_, nullptr); }

  friend bool operator==(const LazyVector& a, const LazyVector& b) {
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    return *a.values_ == *b.values_;
  }

 private:
  // Not a unique_ptr: its instantiation would slow down every file that includes the public headers.
  std::vector<T>* values_ = nullptr;  ///< owned; null while it is empty
};

}  // namespace gdsim
