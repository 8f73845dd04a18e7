#pragma once

#include <iterator>

namespace gdsim {

/// A container whose iterators stay valid, and an iterator into it. A copy refers to the same position in its own
/// container.
template <class Container>
struct WithPlace {
  Container values;
  typename Container::iterator at = values.begin();

  WithPlace() = default;
  WithPlace(const WithPlace& other) : values(other.values), at(counterpart(other)) {}
  WithPlace& operator=(const WithPlace& other) {
    values = other.values;
    at = counterpart(other);
    return *this;
  }
  ~WithPlace() = default;

 private:
  typename Container::iterator counterpart(const WithPlace& other) {
    return std::next(values.begin(), std::distance(other.values.begin(), typename Container::const_iterator(other.at)));
  }
};

}  // namespace gdsim
