#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace gdsim {

/// A vector of plain values that grows where it lies, if the system can do that: a large vector of the standard library
/// holds everything twice while it grows, and touches new memory each time.
template <class T>
class GrowingBlock {
  static_assert(std::is_trivially_copyable_v<T>, "values are moved as bytes");

 public:
  GrowingBlock() = default;
  GrowingBlock(const GrowingBlock& other) {
    if (other.size_ == 0) return;
    set_capacity(other.size_);
    size_ = other.size_;
    std::memcpy(static_cast<void*>(values_), other.values_, size_ * sizeof(T));
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
  ~GrowingBlock() { std::free(values_); }

  void push_back(const T& value) {
    const T one = value;  // it may be of this block
    if (size_ == capacity_) grow(size_ + 1);
    new (values_ + size_++) T(one);
  }
  /// Further values are T().
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    for (; size_ < size; ++size_) new (values_ + size_) T();
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
    if (capacity > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    void* const moved = std::realloc(static_cast<void*>(values_), capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    values_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* values_ = nullptr;  ///< owned
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace gdsim
