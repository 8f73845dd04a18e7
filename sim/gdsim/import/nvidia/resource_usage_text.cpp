#include <gdsim/import/nvidia/resource_usage_text.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/text_lines.hpp>

#include <optional>
#include <string>

namespace gdsim {
namespace {

constexpr std::string_view kFunction = "Function ";
constexpr std::string_view kArchitecture = "arch = ";

CompiledKernel kernel_of_usage(const std::string& symbol, const std::string& target, std::string_view line,
                               const TextLines& lines) {
  CompiledKernel kernel;
  kernel.symbol = symbol;
  kernel.name = demangled(symbol);
  kernel.vendor = GpuVendor::nvidia;
  kernel.target = target;
  kernel.sub_group = 32;
  const auto registers = number_behind(line, "REG:");
  const auto stack = number_behind(line, "STACK:");
  kernel.static_slm = number_behind(line, "SHARED:");
  constexpr std::uint64_t most = 65'536;
  if (!registers || *registers > most || !stack || !kernel.static_slm)
    lines.fail("REG:, STACK: and SHARED: with their numbers are needed of the kernel " + symbol);
  kernel.registers = static_cast<std::uint32_t>(*registers);
  kernel.stack = stack;
  // The value is the size of the section, as in a cubin.
  kernel.slm_may_hold_reserve = true;
  return kernel;
}

}  // namespace

bool is_resource_usage_text(const SourceText& text) {
  return text.text().find("Resource usage:") != std::string::npos && text.text().find("REG:") != std::string::npos;
}

CompiledFile read_resource_usage_text(const SourceText& text, ReadBudget& budget) {
  TextLines lines(text);
  CompiledFile file;
  std::string target;
  std::optional<std::string> symbol;
  while (const auto whole = lines.next()) {
    const std::string_view line = trimmed(*whole);
    if (line.starts_with(kArchitecture)) {
      target = trimmed(line.substr(kArchitecture.size()));
    } else if (line.starts_with(kFunction) && line.ends_with(":")) {
      symbol = line.substr(kFunction.size(), line.size() - kFunction.size() - 1);
      constexpr std::size_t most = 65'536;
      if (symbol->empty() || symbol->size() > most) lines.fail("the name of a kernel has 1 to 65536 bytes");
    } else if (symbol && line.starts_with("REG:")) {
      budget.keep(sizeof(CompiledKernel) + symbol->size());
      file.kernels.push_back(kernel_of_usage(*symbol, target, line, lines));
      symbol.reset();
    }
  }
  if (symbol) lines.fail("the kernel " + *symbol + " has no line `REG:N ...`; was the text cut off?");
  return file;
}

}  // namespace gdsim
