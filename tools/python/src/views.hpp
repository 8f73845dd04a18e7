#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::python {

/// One column of an array: its name, its format as NumPy writes it (`u8`, `f8`, `U8`), and where it is in a row.
struct Field {
  const char* name;
  const char* format;
  std::size_t offset;
};

/// The structured dtype of rows of `size` bytes, of which these fields are shown.
pybind11::dtype dtype_of(std::initializer_list<Field> fields, std::size_t size);

/// From now on, only functions of the module make objects of this class: `__new__` would make one with nothing in it.
void forbid_empty_ones(pybind11::object made_class);

/// An object of Python that keeps `owner` alive.
pybind11::capsule keeper_of(std::shared_ptr<const void> owner);

/// `rows` as a read-only array, without a copy. `keeper` keeps them alive, as long as the array or a view of it lives.
pybind11::array view_of_rows(const pybind11::dtype& dtype, const void* rows, std::size_t count,
                             const pybind11::capsule& keeper);

/// The rows, moved into what the array keeps.
template <class Row>
pybind11::array array_of(const pybind11::dtype& dtype, std::vector<Row> rows) {
  const auto owner = std::make_shared<const std::vector<Row>>(std::move(rows));
  return view_of_rows(dtype, owner->data(), owner->size(), keeper_of(owner));
}

}  // namespace gdsim::python
