#include "views.hpp"

namespace gdsim::python {

namespace py = pybind11;

py::dtype dtype_of(std::initializer_list<Field> fields, std::size_t size) {
  py::list names;
  py::list formats;
  py::list offsets;
  for (const Field& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  return {std::move(names), std::move(formats), std::move(offsets), static_cast<py::ssize_t>(size)};
}

void forbid_empty_ones(py::object made_class) {
  made_class.attr("__new__") = py::cpp_function([](const py::args&, const py::kwargs&) -> py::object {
    throw py::type_error("objects of this class are made by functions of gdsim alone");
  });
}

py::capsule keeper_of(std::shared_ptr<const void> owner) {
  return py::capsule(new std::shared_ptr<const void>(std::move(owner)),
                     [](void* held) { delete static_cast<std::shared_ptr<const void>*>(held); });
}

py::array view_of_rows(const py::dtype& dtype, const void* rows, std::size_t count, const py::capsule& keeper) {
  // NumPy would allocate its own memory for a null pointer.
  static constexpr char kNoRows[1] = {};
  py::array array(dtype, {static_cast<py::ssize_t>(count)}, {dtype.itemsize()}, count > 0 ? rows : kNoRows, keeper);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace gdsim::python
