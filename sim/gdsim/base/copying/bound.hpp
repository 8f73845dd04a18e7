#pragma once

namespace gdsim {

/// A reference from one part of a state to another part, or to an object that outlives the state. Assignment does not
/// change the target: each part still refers to the other parts of its own state. So a state whose references are all
/// of this class can be assigned member by member. A copy-constructed part refers to the parts of the original state.
///
///     Arrivals arrivals(queue);   // holds a Bound<Queue>
///     arrivals = others;          // copies the values of `others`, but still refers to `queue`
template <class T>
class Bound {
 public:
  /// Refers to nothing until bind().
  Bound() = default;
  /// `target` must outlive this.
  explicit Bound(T& target) : target_(&target) {}
  explicit Bound(T&&) = delete;
  Bound(const Bound&) = default;
  Bound& operator=(const Bound&) { return *this; }

  void bind(T* target) { target_ = target; }
  explicit operator bool() const { return target_ != nullptr; }
  T& operator*() const { return *target_; }
  T* operator->() const { return target_; }

 private:
  T* target_ = nullptr;
};

}  // namespace gdsim
