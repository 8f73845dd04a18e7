#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A row of `names.csv`: a name that people, drivers or compilers give to a device.
struct DeviceName {
  std::string name;
  std::string model;                   ///< the model; of a product that has none: its family
  std::optional<std::uint32_t> cores;  ///< of a product that has no model
  std::string note;                    ///< what the name means, or where the number of cores is from
};

/// Reads `names.csv` (columns `name`, `model`, `cores`, `note`). Adds a problem for each row that cannot be used.
std::vector<DeviceName> read_device_names(const SourceText& source, Diagnostics& problems);

/// How a name relates to the models.
enum class NameFit : std::uint8_t {
  named,     ///< it is the name of one model, or a synonym
  part,      ///< it is a part of the names of models, which of them is meant is not said
  no_model,  ///< it is a product that has no model: its family and number of cores are known
  near,      ///< it is none of them, but its generation or spelling is near to theirs
  none,      ///< no model is similar
};

/// The models that a name may mean.
struct ModelMatch {
  NameFit fit = NameFit::none;
  std::vector<std::string> names;      ///< `named`: the model; `no_model`: the family; else the likeliest first
  std::optional<std::uint32_t> cores;  ///< of a product that has no model
  std::string note;                    ///< of the row of `names.csv`

  bool is_certain() const { return fit == NameFit::named; }
};

// Which model a name means:
// 1. A name is a list of words, in lower case. All but letters, digits and points between digits separates words, and
//    so do the borders of a series, its number and what stands behind (`RTX4070Ti` is `rtx 4070 ti`). Words of vendors
//    (`NVIDIA`, `GeForce`, `GPU`) are left out. `sm_89`, `compute_89`, `cc89` and `8.9` are `cc 8.9`; letters of code
//    for one architecture (`sm_90a`) are left out.
// 2. A model is named by exactly its words, and by a row of `names.csv` with exactly the written words.
// 3. Either is also named by its words without the name of its series (`4090`, `a770`). No other word is ever left out
// or
//    added: Ti, SUPER, D, Laptop, GRE, NVL, PCIe, SXM and sizes of memory are parts of a name.
// 4. What is a part of the names of models, in whole words or in letters, lists these.
// 5. What has more words than a model (`RTX 5080 Laptop`) lists the models with most of its words; any other name those
//    of the same series whose numbers begin alike, the nearest number first; else the one name with few slips.

/// Returns the models of `known` that a name means. The first rule that finds one decides.
ModelMatch match_model(std::string_view name, const std::vector<std::string>& known,
                       const std::vector<DeviceName>& names);

}  // namespace gdsim
