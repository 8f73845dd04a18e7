#pragma once

#include <pybind11/pybind11.h>

namespace gdsim::python {

/// `command(name, words)` of the module: runs a command as the program does.
void define_commands(pybind11::module_& module);

}  // namespace gdsim::python
