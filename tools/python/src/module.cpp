#include "commands.hpp"
#include "errors.hpp"
#include "models.hpp"
#include "run.hpp"
#include "scenario.hpp"
#include "studies.hpp"
#include "terminal/program.hpp"

#include <pybind11/pybind11.h>

// The parts of the library that Python uses. The public interface is the package `gdsim`, which contains this module.
PYBIND11_MODULE(_core, module) {
  gdsim::python::translate_errors();
  gdsim::python::define_run(module);
  gdsim::python::define_scenario(module);
  gdsim::python::define_models(module);
  gdsim::python::define_studies(module);
  gdsim::python::define_commands(module);
  module.attr("version") = gdsim::cli::version_number();
}
