#include "commands/printed_format.hpp"

#include "options/options.hpp"

#include <gdsim/base/near_names.hpp>
#include <gdsim/base/printable.hpp>

#include <string_view>
#include <vector>

namespace gdsim::cli {

Format printed_format(const std::string& name) {
  std::vector<Format> formats = built_in_formats();
  for (const Format& format : export_formats()) formats.push_back(format);
  std::vector<std::string_view> names;
  for (const Format& format : formats) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw UsageError("--print is " + in_quotes(name) + "; " + known_names(name, names));
}

}  // namespace gdsim::cli
