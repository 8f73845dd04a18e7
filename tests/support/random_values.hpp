#pragma once

#include <rapidcheck.h>

#include <initializer_list>
#include <vector>

/// Values that a property draws.
namespace gdsim::testing {

/// Draws a value from `min` to `max`, both included.
template <class T>
T between(T min, T max) {
  return *rc::gen::inRange<T>(min, static_cast<T>(max + 1));
}

template <class T>
T one_of(std::initializer_list<T> values) {
  return *rc::gen::elementOf(std::vector<T>(values));
}

/// Returns true once in `count` times, on average.
inline bool one_in(int count) { return between(0, count - 1) == 0; }

}  // namespace gdsim::testing
