#include "errors.hpp"

#include "options/options.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <pybind11/pybind11.h>

#include <exception>
#include <filesystem>
#include <vector>

namespace gdsim::python {
namespace {

namespace py = pybind11;

/// Raises `gdsim.Error(message, problems)`, each problem a tuple of the fields of Diagnostic.
void raise(const char* message, const std::vector<Diagnostic>& problems) {
  py::list all;
  for (const Diagnostic& one : problems)
    all.append(py::make_tuple(one.message, one.file, one.line, one.column, one.code, one.line_text));
  const py::object kind = py::module_::import("gdsim._errors").attr("Error");
  PyErr_SetObject(kind.ptr(), kind(message, all).ptr());
}

}  // namespace

void translate_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise(error.what(), error.problems());
    } catch (const TimeOverflowError& error) {
      raise(error.what(), {});
    } catch (const cli::UsageError& error) {
      raise(error.what(), {});
    } catch (const std::filesystem::filesystem_error& error) {
      raise((error.path1().string() + ": " + error.code().message()).c_str(), {});
    } catch (const DefectError& error) {
      PyErr_SetString(PyExc_RuntimeError,
                      (std::string("this is a fault of gdsim, not of your input: ") + error.what()).c_str());
    }
  });
}

}  // namespace gdsim::python
