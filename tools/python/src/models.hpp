#pragma once

#include "file_stamps.hpp"

#include <gdsim/scenario/occupancy_request.hpp>

#include <pybind11/pybind11.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gdsim::python {

/// The device models of some folders, each read once. Any number of threads may use one.
class Models {
 public:
  explicit Models(const std::vector<std::string>& folders);

  /// Returns true if no file has changed since it was read.
  bool is_current();
  std::vector<std::string> names();
  /// Returns `(name, device)` for each model, the device's values as a tuple: see `devices()` in `_devices.py`.
  pybind11::list devices(const std::vector<std::string>& names);
  /// Returns the values of a model merged with its bases: dicts, lists, and texts as they are written.
  pybind11::object values(const std::string& name);
  /// Returns the answer of `gdsim occupancy --format json`; fields are those of a table.
  std::string occupancy(const std::map<std::string, std::string>& fields);

 private:
  std::mutex mutex_;  ///< guards the members below; a holder never waits for the GIL
  SourceFiles sources_;
  ModelLibrary library_;
  OccupancyRequestReader reader_;
  FileStamps stamps_;
};

/// The Python class `Models`, and `read_models()`, which makes one.
void define_models(pybind11::module_& module);

}  // namespace gdsim::python
