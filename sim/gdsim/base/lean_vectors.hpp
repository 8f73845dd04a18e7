#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

// Vectors for members of classes with millions of instances, where std::vector takes too much memory.

namespace gdsim {

/// A vector that takes 8 bytes while it is empty, for members that are empty in most of a million objects. As with
/// std::vector, any number of threads may read it, or one may change it.
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
  LazyVector(std::vector<T> values)
      : values_(values.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(values))) {}
  LazyVector(const LazyVector& other)
      : values_(other.empty() ? nullptr : std::make_unique<std::vector<T>>(*other.values_)) {}
  LazyVector(LazyVector&& other) noexcept = default;
  LazyVector& operator=(LazyVector other) noexcept {
    values_ = std::move(other.values_);
    return *this;
  }
  ~LazyVector() = default;

  bool empty() const { return values_ == nullptr || values_->empty(); }
  std::size_t size() const { return values_ == nullptr ? 0 : values_->size(); }
  const T* begin() const { return values_ == nullptr ? nullptr : values_->data(); }
  const T* end() const { return begin() + size(); }
  T* begin() { return values_ == nullptr ? nullptr : values_->data(); }
  T* end() { return begin() + size(); }
  const T& operator[](std::size_t i) const { return (*values_)[i]; }

  void push_back(const T& value) {
    if (values_ == nullptr) values_ = std::make_unique<std::vector<T>>();
    values_->push_back(value);
  }
  void clear() { values_.reset(); }

  friend bool operator==(const LazyVector& a, const LazyVector& b) {
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    return *a.values_ == *b.values_;
  }

 private:
  std::unique_ptr<std::vector<T>> values_;  ///< null while it is empty
};

namespace detail {

/// Resizes `block` to `values` values of `size_of_one` bytes, and keeps its contents. Allocates a block if it is null.
/// If it throws std::bad_alloc, the block is unchanged.
void* resized_block(void* block, std::size_t values, std::size_t size_of_one);
void free_block(void* block);

/// A vector of trivially copyable values that grows in place if the system can do that. A large std::vector holds all
/// values twice while it grows, and touches new memory each time.
template <class T>
class GrowingBlock {
  static_assert(std::is_trivially_copyable_v<T> && std::is_aggregate_v<T>, "values are moved as bytes");
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "memory is aligned for any type that asks for no more");

 public:
  GrowingBlock() = default;
  GrowingBlock(const GrowingBlock& other) {
    if (other.size_ == 0) return;
    set_capacity(other.size_);
    for (const T& value : other) values_[size_++] = value;
  }
  GrowingBlock(GrowingBlock&& other) noexcept
      : values_(std::exchange(other.values_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingBlock& operator=(GrowingBlock other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingBlock() { free_block(values_); }

  void push_back(const T& value) {
    const T copy = value;  // `value` may lie in this block
    if (size_ == capacity_) grow(size_ + 1);
    values_[size_++] = copy;
  }
  /// New values are T().
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    while (size_ < size) values_[size_++] = T();
    size_ = size;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const T* data() const { return values_; }
  T& operator[](std::size_t index) { return values_[index]; }
  const T& operator[](std::size_t index) const { return values_[index]; }
  const T& front() const { return values_[0]; }
  const T& back() const { return values_[size_ - 1]; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }

 private:
  void grow(std::size_t at_least) { set_capacity(at_least > 2 * capacity_ ? at_least : 2 * capacity_); }
  void set_capacity(std::size_t capacity) {
    values_ = static_cast<T*>(resized_block(values_, capacity, sizeof(T)));
    capacity_ = capacity;
  }

  T* values_ = nullptr;  ///< owned
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace detail

}  // namespace gdsim
