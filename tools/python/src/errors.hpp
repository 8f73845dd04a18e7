#pragma once

namespace gdsim::python {

/// Translates InputError and UsageError of C++ into `gdsim.Error` of `_errors.py`, with their places, and defects of
/// gdsim into `RuntimeError`. Must be called once, when the module is imported.
void translate_errors();

}  // namespace gdsim::python
