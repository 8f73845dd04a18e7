#include <gdsim/base/diagnostic.hpp>

#include <iterator>
#include <utility>

namespace gdsim {

std::string to_text(const Issue& issue) { return issue.path + ": " + issue.message; }

void throw_input_error(const Issues& issues) {
  std::vector<Diagnostic> problems;
  for (const Issue& issue : issues) problems.push_back(Diagnostic{issue.code, to_text(issue), {}, 0, 0, {}});
  throw InputError(std::move(problems));
}

std::string item_path(std::string_view list, std::uint64_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

void append(Issues& all, Issues more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace gdsim
