#pragma once

#include <pybind11/pybind11.h>

namespace gdsim::python {

/// `sweep(...)` and `explain(...)` of the module.
void define_studies(pybind11::module_& module);

}  // namespace gdsim::python
