#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gdsim::python {

/// One column of an array: its name, its format in NumPy's notation (`u8`, `f8`, `U8`), and its offset in a row.
struct Field {
  const char* name;
  const char* format;
  std::size_t offset;
};

/// Returns the structured dtype of rows of `size` bytes that shows these fields.
pybind11::dtype dtype_of(std::initializer_list<Field> fields, std::size_t size);

/// Forbids `__new__`, which would make an empty object: only functions of the module may make objects of this class.
void forbid_empty_ones(pybind11::object made_class);

/// Returns an object of Python that keeps `owner` alive.
pybind11::capsule keeper_of(std::shared_ptr<const void> owner);

/// Returns `rows` as a read-only array, without a copy. `keeper` keeps them alive while the array or a view lives.
pybind11::array view_of_rows(const pybind11::dtype& dtype, const void* rows, std::size_t count,
                             const pybind11::capsule& keeper);

/// Moves the rows into an owner that the array keeps alive.
template <class Row>
pybind11::array array_of(const pybind11::dtype& dtype, std::vector<Row> rows) {
  const auto owner = std::make_shared<const std::vector<Row>>(std::move(rows));
  return view_of_rows(dtype, owner->data(), owner->size(), keeper_of(owner));
}

}  // namespace gdsim::python
