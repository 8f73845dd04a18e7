#include <gdsim/import/nvidia/ptxas_text.hpp>

#include <gdsim/import/demangled.hpp>
#include <gdsim/import/text_lines.hpp>

#include <optional>
#include <string>

namespace gdsim {
namespace {

constexpr std::string_view kEntry = "Compiling entry function '";
constexpr std::string_view kFor = "' for '";
constexpr std::string_view kProperties = "Function properties for ";
constexpr std::string_view kUsed = ": Used ";

/// One call of read_ptxas_text().
class PtxasReader {
 public:
  explicit PtxasReader(const SourceText& text) : lines_(text) {}

  CompiledFile read() {
    while (const auto line = lines_.next()) take(*line);
    finish();
    return std::move(file_);
  }

 private:
  void take(std::string_view line) {
    if (const std::size_t begin = line.find(kEntry); begin != std::string_view::npos) {
      finish();
      open(line.substr(begin + kEntry.size()));
    } else if (const std::size_t of = line.find(kProperties); of != std::string_view::npos) {
      described_ = line.substr(of + kProperties.size());
    } else if (line.find(" bytes stack frame") != std::string_view::npos) {
      take_frame(line);
    } else if (line.find("ptxas") != std::string_view::npos && line.find(kUsed) != std::string_view::npos) {
      take_use(line);
    }
  }

  void open(std::string_view rest) {
    const std::size_t end = rest.find(kFor);
    const std::size_t last = end == std::string_view::npos ? end : rest.find('\'', end + kFor.size());
    if (last == std::string_view::npos || end == 0)
      lines_.fail("this line of ptxas is cut off: 'FUNCTION' for 'sm_NN' is needed");
    CompiledKernel kernel;
    kernel.symbol = rest.substr(0, end);
    if (kernel.symbol.size() > kMaxSymbol) lines_.fail("the name of a kernel is longer than 65536 bytes");
    kernel.name = demangled(kernel.symbol);
    kernel.vendor = GpuVendor::nvidia;
    kernel.target = rest.substr(end + kFor.size(), last - end - kFor.size());
    kernel.sub_group = 32;
    open_ = std::move(kernel);
  }

  /// Reads the kernel's own frame; functions that it calls have frames of their own.
  void take_frame(std::string_view line) {
    if (!open_ || described_ != open_->symbol) return;
    const auto stack = number_before(line, " bytes stack frame");
    const auto stores = number_before(line, " bytes spill stores");
    const auto loads = number_before(line, " bytes spill loads");
    if (!stack || !stores || !loads)
      lines_.fail("this line of ptxas is cut off: bytes of stack frame, spill stores and spill loads are needed");
    if (!open_->stack) open_->stack = stack;
    open_->spill_stores = stores;
    open_->spill_loads = loads;
  }

  void take_use(std::string_view line) {
    if (!open_) return;
    const auto registers = number_before(line, " registers");
    constexpr std::uint64_t most = 65'536;
    if (!registers || *registers > most)
      lines_.fail("this line of ptxas is cut off: the number of registers is needed");
    open_->registers = static_cast<std::uint32_t>(*registers);
    open_->static_slm = number_before(line, " bytes smem").value_or(0);  // left out if there is none
    // ptxas before CUDA 12.4 prints no barriers at all.
    if (const auto barriers = number_before(line, " barriers"); barriers && *barriers <= most)
      open_->barriers = static_cast<std::uint32_t>(*barriers);
    if (const auto stack = number_before(line, " bytes cumulative stack size")) open_->stack = stack;
    file_.kernels.push_back(std::move(*open_));
    open_.reset();
  }

  void finish() {
    if (open_) lines_.fail("the kernel " + open_->name + " has no line `Used N registers`; was the text cut off?");
    described_.clear();
  }

  static constexpr std::size_t kMaxSymbol = 65'536;

  TextLines lines_;
  CompiledFile file_;
  std::optional<CompiledKernel> open_;  ///< its registers were not reported yet
  std::string described_;               ///< the function to which the next properties belong
};

}  // namespace

bool is_ptxas_text(const SourceText& text) {
  return text.text().find("ptxas info") != std::string::npos && text.text().find(kEntry) != std::string::npos;
}

CompiledFile read_ptxas_text(const SourceText& text) { return PtxasReader(text).read(); }

}  // namespace gdsim
