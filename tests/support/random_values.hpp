#pragma once

#include <rapidcheck.h>

#include <initializer_list>
#include <vector>

/// Values that a property draws.
namespace gdsim::testing {

/// Any from `least` to `most`, both included.
template <class T>
T between(T least, T most) {
  return *rc::gen::inRange<T>(least, static_cast<T>(most + 1));
}

template <class T>
T one_of(std::initializer_list<T> values) {
  return *rc::gen::elementOf(std::vector<T>(values));
}

}  // namespace gdsim::testing
