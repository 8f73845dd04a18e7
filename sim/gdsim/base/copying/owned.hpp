#pragma once

#include <memory>
#include <utility>

namespace gdsim {

/// A unique pointer to an object that has a virtual copy(). A copy of the pointer owns a copy of the object; it is null
/// if copy() returns null.
template <class T>
class Owned {
 public:
  Owned() = default;
  explicit(false) Owned(std::unique_ptr<T> value) : value_(std::move(value)) {}
  Owned(const Owned& other) : value_(other.value_ ? other.value_->copy() : nullptr) {}
  Owned(Owned&&) noexcept = default;
  Owned& operator=(Owned other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Owned() = default;

  explicit operator bool() const { return value_ != nullptr; }
  T& operator*() const { return *value_; }
  T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace gdsim
