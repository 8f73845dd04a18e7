#include <gdsim/base/check.hpp>

#include <gdsim/base/diagnostic.hpp>

namespace gdsim {

void raise_defect(const char* condition, const char* file, int line, const std::string& detail) {
  std::string name = file;
  if (const auto room = name.rfind("gdsim/"); room != std::string::npos) name.erase(0, room);
  throw DefectError(name + ":" + std::to_string(line) + ": " + detail + " (" + condition + ")");
}

void raise_defect(const char* condition, const char* file, int line, const char* detail) {
  raise_defect(condition, file, line, std::string(detail));
}

}  // namespace gdsim
