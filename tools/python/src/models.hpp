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

  /// No file that was read has changed since.
  bool is_current();
  std::vector<std::string> names();
  /// `(name, device)` of each of these models, the device's values as a tuple: see `devices()` in `_devices.py`.
  pybind11::list devices(const std::vector<std::string>& names);
  /// The values of a model, its bases merged in: dicts, lists, and texts as they are written.
  pybind11::object values(const std::string& name);
  /// What `gdsim occupancy --format json` answers; fields are those of a table.
  std::string occupancy(const std::map<std::string, std::string>& fields);

 private:
  std::mutex mutex_;  ///< guards what follows; never held while the GIL is waited for
  SourceFiles sources_;
  ModelLibrary library_;
  OccupancyRequestReader reader_;
  FileStamps stamps_;
};

/// The Python class `Models`, and `read_models()`, which makes one.
void define_models(pybind11::module_& module);

}  // namespace gdsim::python
