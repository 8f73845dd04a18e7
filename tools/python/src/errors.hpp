#pragma once

namespace gdsim::python {

/// From now on, InputError and UsageError of C++ are the `gdsim.Error` that `_errors.py` defines, with their places;
/// what is gdsim's own fault is a `RuntimeError`. Called once, when the module is imported.
void translate_errors();

}  // namespace gdsim::python
