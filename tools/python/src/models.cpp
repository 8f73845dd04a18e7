#include "models.hpp"

#include "occupancy/occupancy_text.hpp"
#include "views.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/device/read_device.hpp>

#include <pybind11/stl.h>

namespace gdsim::python {
namespace {

namespace py = pybind11;

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& folders) {
  return {folders.begin(), folders.end()};
}

/// Converts amounts, which may have a unit, to bytes for the reader of requests.
OccupancyFields in_bytes(const std::map<std::string, std::string>& given) {
  OccupancyFields fields(given.begin(), given.end());
  Diagnostics problems;
  for (const std::string name : {"slm", "slm_dynamic", "max_dynamic_slm"}) {
    const auto found = fields.find(name);
    if (found == fields.end()) continue;
    const Parsed<Bytes> amount = parse_bytes(found->second);
    if (amount.value) {
      fields.emplace(name + "_bytes", std::to_string(amount.value->count));
    } else {
      problems.add({}, name + ": " + in_quotes(found->second) + " " + amount.problem);
    }
    fields.erase(found);
  }
  problems.throw_if_any();
  return fields;
}

YamlNode reference_to(const std::string& name) {
  YamlNode reference;
  reference.text = name;
  reference.style = YamlNode::Style::quoted;  // a name even if it looks like a number
  return reference;
}

py::object object_of(const YamlNode& node) {
  if (node.is_scalar()) return py::str(node.text);
  if (node.is_sequence()) {
    py::list items;
    for (const YamlNode& item : node.items) items.append(object_of(item));
    return items;
  }
  py::dict entries;
  for (const YamlEntry& entry : node.entries) entries[py::str(entry.key)] = object_of(entry.value);
  return entries;
}

}  // namespace

Models::Models(const std::vector<std::string>& folders)
    : library_(paths_of(folders), sources_), reader_(library_, ".") {}

bool Models::is_current() {
  const std::lock_guard lock(mutex_);
  return stamps_.are_current();
}

std::vector<std::string> Models::names() {
  const std::lock_guard lock(mutex_);
  return library_.names();
}

py::list Models::devices(const std::vector<std::string>& names) {
  struct Found {
    DeviceSpec device;
    std::string family;
  };
  std::vector<Found> found;
  {
    const py::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names) {
      Diagnostics problems;
      auto device = read_device(reference_to(name), ".", library_, ValueReader(problems));
      problems.throw_if_any();
      std::string family = library_.family_of(device->id);
      found.push_back({std::move(*device), std::move(family)});
    }
    stamps_.add_new(sources_);
  }
  py::list rows;
  for (const auto& [device, family] : found)
    rows.append(py::make_tuple(device.id, device.name, device.vendor, family, device.cores, device.contexts_per_core(),
                               device.max_work_group_size, device.clock ? device.clock->count : 0));
  return rows;
}

py::object Models::values(const std::string& name) {
  const std::lock_guard lock(mutex_);
  Diagnostics problems;
  const auto tree = library_.resolve(reference_to(name), ".", ValueReader(problems));
  problems.throw_if_any();
  stamps_.add_new(sources_);
  return object_of(*tree);
}

std::string Models::occupancy(const std::map<std::string, std::string>& fields) {
  const OccupancyFields all = in_bytes(fields);
  const std::lock_guard lock(mutex_);
  const OccupancyRequest request = reader_.read(all);
  stamps_.add_new(sources_);
  return cli::occupancy_json(request.kernel, *request.device,
                             occupancy_of(request.kernel, *request.device, request.global), cli::AskedCooperative::no);
}

void define_models(py::module_& module) {
  module.def(
      "read_models", [](const std::vector<std::string>& folders) { return std::make_shared<Models>(folders); },
      py::arg("folders"));
  py::class_<Models, std::shared_ptr<Models>> models(module, "Models");
  forbid_empty_ones(models);
  models.def("is_current", &Models::is_current)
      .def("names", &Models::names)
      .def("devices", &Models::devices, py::arg("names"))
      .def("values", &Models::values, py::arg("name"))
      .def("occupancy", &Models::occupancy, py::arg("fields"));
}

}  // namespace gdsim::python
