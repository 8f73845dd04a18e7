#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <span>

namespace gdsim {

/// A name of the caller's kernel choices that is empty, or stands there twice, or is that of a built-in one.
Issues check_own_kernel_choices(std::span<const OwnKernelChoice> own);

/// Reads `kernel_choice`: a built-in one, or one of `own`, which have no issue.
void read_kernel_choice(const YamlNode& node, std::span<const OwnKernelChoice> own, DispatchRules& rules,
                        const ValueReader& values);

}  // namespace gdsim
