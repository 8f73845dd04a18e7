#pragma once

#include <pybind11/pybind11.h>

namespace gdsim::python {

/// `command(name, words)` of the module: a command of the program, run as it is there.
void define_commands(pybind11::module_& module);

}  // namespace gdsim::python
