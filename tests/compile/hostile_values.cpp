#include "hostile_values.hpp"

#include "support/builders.hpp"
#include "support/plain_keys.hpp"

#include <functional>

namespace gdsim::testing {
namespace {

std::string hostile_kind() { return one_of<std::string>({"fp32", "tensor_fp16", "unknown", "", "Fp32", "a.b", "a]"}); }

Step hostile_step(int depth) {
  switch (between(0, 12)) {
    case 12: {
      Tiles tiles{one_of<std::string>({"", "a"}),
                  hostile_number<std::uint64_t>(),
                  hostile_enum<TileTake>(),
                  hostile_enum<TileTaker>(),
                  hostile_time(),
                  hostile_program(depth - 1)};
      tiles.others = some<Program>([depth] { return hostile_program(depth - 1); });
      tiles.of_tile = some<std::uint32_t>(hostile_number<std::uint32_t>);
      return tiles;
    }
    case 10:
      if (hostile_number<std::uint64_t>() % 2 == 0) return Fence{};
      if (hostile_number<std::uint64_t>() % 2 == 0) return Trigger{};
      if (hostile_number<std::uint64_t>() % 2 == 0) return WaitDependencies{};
      if (hostile_number<std::uint64_t>() % 2 == 0) return GridBarrier{hostile_time()};
      return WaitMemory{hostile_number<std::uint64_t>()};
    case 9:
      return Atomic{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>(), hostile_enum<AtomicSpace>()};
    case 0: return Compute{hostile_time()};
    case 1:
      return IssueSlots{hostile_time(), some<InstructionCount>([] {
                          return InstructionCount{hostile_kind(), hostile_number<std::uint64_t>()};
                        }),
                        some<L1Access>([] {
                          return L1Access{
                              hostile_number<std::uint64_t>(), perhaps<std::uint64_t>(hostile_number<std::uint64_t>),
                              hostile_number<std::uint64_t>(), perhaps<std::uint64_t>(hostile_number<std::uint64_t>),
                              hostile_number<std::uint32_t>(), {},
                              hostile_number<std::uint64_t>()};
                        })};
    case 2: {
      Memory memory{hostile_quantity<Bytes>(), between(0, 1) == 1};
      if (between(0, 1) == 1)
        memory.written = WrittenSectors{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>()};
      memory.multicast = hostile_number<std::uint32_t>();
      return memory;
    }
    case 3:
      return Slm{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>()};
    case 4: return Barrier{one_of<std::string>({"", "a"})};
    case 5:
      return Signal{one_of<std::string>({"", "a"}), perhaps<std::int64_t>(hostile_number<std::int64_t>),
                    hostile_number<std::uint64_t>()};
    case 6: return Wait{one_of<std::string>({"", "a"}), perhaps<std::int64_t>(hostile_number<std::int64_t>)};
    case 7: return LaunchChild{KernelId{hostile_number<std::uint32_t>()}, hostile_enum<ChildWait>()};
    case 8: return Loop{hostile_number<std::uint64_t>(), hostile_program(depth - 1)};
    default:
      return Only{some<ThreadRange>([] {
                    return ThreadRange{hostile_number<std::uint32_t>(), hostile_number<std::uint32_t>()};
                  }),
                  hostile_program(depth - 1)};
  }
}

/// Makes anything of the value of a plain key.
template <class Value>
void spoil_value(Value& value) {
  if constexpr (std::is_enum_v<Value>)
    value = hostile_enum<Value>();
  else if constexpr (std::is_same_v<Value, bool>)
    value = one_in(2);
  else if constexpr (std::is_unsigned_v<Value>)
    value = hostile_number<Value>();
  else if constexpr (std::is_same_v<Value, StepTime>)
    value = hostile_time();
  else if constexpr (std::is_same_v<Value, Decimal>)
    value = hostile_decimal();
  else if constexpr (std::is_same_v<Value, std::string>)
    value = one_of<std::string>({"core", "", "unknown", std::string(1'000, 'x')});
  else
    value = hostile_quantity<Value>();
}

/// Spoils some of the plain keys whose paths begin so. `visit` visits all, or the wanted one.
template <class Rule, class Visit>
void spoil_keys(Rule& rule, const std::string& begin, Visit visit) {
  std::vector<std::string> paths;
  Rule whole = rule;
  const auto note = [&](const std::string& path, const auto&, const auto&) {
    if (path.starts_with(begin)) paths.push_back(path);
  };
  visit(whole, note, "");
  for (int i = between(1, 3); i > 0; --i)
    visit(
        rule, [](const auto&, const auto&, auto& value) { spoil_value(value); },
        paths[between<std::size_t>(0, paths.size() - 1)]);
}

/// Spoils some of the plain keys of a struct of the workload.
template <class Rule>
void spoil_rule(Rule& rule, const MappingKeys& known) {
  spoil_keys(rule, "",
             [&](Rule& each, auto visit, const std::string& wanted) { visit_rule(each, known, visit, wanted); });
}

void spoil_device_keys(DeviceSpec& device, const std::string& begin) {
  spoil_keys(device, begin,
             [](DeviceSpec& each, auto visit, const std::string& wanted) { visit_device(each, visit, wanted); });
}

using Spoil = std::function<void(DeviceSpec&)>;

void spoil_kernel(Kernel& kernel) {
  switch (between(0, 10)) {
    case 8:
      kernel.cluster = some<std::uint64_t>(hostile_number<std::uint64_t>);
      if (one_in(2)) kernel.preferred_cluster = some<std::uint64_t>(hostile_number<std::uint64_t>);
      break;
    case 0: kernel.range.global[between<std::size_t>(0, 2)] = hostile_number<std::uint64_t>(); break;
    case 1: kernel.range.local[between<std::size_t>(0, 2)] = hostile_number<std::uint64_t>(); break;
    case 2: kernel.edge_groups = hostile_enum<EdgeGroups>(); break;
    case 3: kernel.sub_group = hostile_number<std::uint32_t>(); break;
    case 4:
      kernel.needs.slm = {hostile_quantity<Bytes>(), hostile_quantity<Bytes>(), hostile_enum<SlmOptIn>(),
                          perhaps<Bytes>(hostile_quantity<Bytes>),
                          perhaps<std::uint32_t>(hostile_number<std::uint32_t>)};
      break;
    case 5: kernel.needs.registers = hostile_number<std::uint32_t>(); break;
    case 6: spoil_rule(kernel, keys::kKernel); break;
    case 7:
      kernel.program = hostile_program(3);
      if (between(0, 1) == 0) {
        kernel.group_programs.others = {between(0, 2) == 0 ? hostile_program(2) : kernel.program};
        kernel.group_programs.of_group = some<std::uint32_t>([] { return between(0U, 2U); });
      }
      break;
    case 9:
      kernel.variation.factors = some<WorkGroupFactor>([] {
        return WorkGroupFactor{WorkGroupId{hostile_number<std::uint64_t>()}, hostile_decimal()};
      });
      kernel.variation.first_wave = perhaps<Decimal>(hostile_decimal);
      break;
    default:
      kernel.variation.draw = Draw{hostile_enum<Distribution>(), hostile_decimal(), hostile_enum<DrawPer>(),
                                   hostile_number<std::uint64_t>()};
  }
}

void spoil_launch(Launch& launch) {
  switch (between(0, 9)) {
    case 0: launch.work = KernelId{hostile_number<std::uint32_t>()}; break;
    case 1: launch.work = Copy{hostile_quantity<Bytes>(), hostile_enum<CopyDirection>()}; break;
    case 2: launch.at = hostile_quantity<SimTime>(); break;
    case 3: launch.after = hostile_ids<LaunchId>(); break;
    case 4: launch.host_waits = hostile_ids<LaunchId>(); break;
    case 5: launch.queue = perhaps<QueueId>([] { return QueueId{hostile_number<std::uint32_t>()}; }); break;
    case 6: launch.reads = hostile_ids<BufferId>(); break;
    case 7: launch.writes = hostile_ids<BufferId>(); break;
    case 8: {
      KernelLaunch work(KernelId{between(0U, 2U)});
      work.priority = hostile_number<std::uint32_t>();
      work.cores = hostile_cores();
      launch.work = work;
      break;
    }
    default: {
      KernelLaunch work(KernelId{between(0U, 2U)});
      work.parent = perhaps<LaunchParent>([] {
        return LaunchParent{LaunchId{hostile_number<std::uint32_t>()}, WorkGroupId{hostile_number<std::uint64_t>()},
                            hostile_number<std::uint32_t>(), hostile_enum<ChildWait>()};
      });
      work.first_child = perhaps<LaunchId>([] { return LaunchId{hostile_number<std::uint32_t>()}; });
      launch.work = work;
    }
  }
}

}  // namespace

Decimal hostile_decimal() {
  Decimal value{hostile_number<std::uint64_t>(), between(0, 2) == 0 ? hostile_number<int>() : between(-40, 40)};
  if (between(0, 3) == 0) value.digits = ~UInt128{0};
  return value;
}

StepTime hostile_time() { return {hostile_decimal(), hostile_enum<StepTime::Unit>()}; }

CoreSelection hostile_cores() {
  return some<CoreRange>([] {
    return CoreRange{CoreId{hostile_number<std::uint32_t>()}, CoreId{hostile_number<std::uint32_t>()}};
  });
}

Program hostile_program(int depth) {
  if (depth <= 0) return {};
  return some<Step>([depth] { return hostile_step(depth); });
}

void spoil_device(DeviceSpec& d) {
  static const std::vector<Spoil> spoils{
      [](DeviceSpec& x) { x.clock = perhaps<Hertz>(hostile_quantity<Hertz>); },
      [](DeviceSpec& x) {
        x.power = PowerRule{hostile_quantity<Power>(), hostile_quantity<Power>(), hostile_quantity<Duration>(),
                            some<PowerRule::Level>([] {
                              return PowerRule::Level{hostile_quantity<Hertz>(), hostile_quantity<Power>()};
                            })};
      },
      [](DeviceSpec& x) {  // one that can be used, if the device has a clock
        const Hertz clock = x.clock.value_or(Hertz{1});
        x.power = PowerRule{Power{1}, Power{0}, hostile_quantity<Duration>(), {{clock, Power{1}}}};
      },
      [](DeviceSpec& x) {
        x.core_groups = some<CoreGroupLevel>([] { return CoreGroupLevel{"", hostile_number<std::uint32_t>()}; });
      },
      [](DeviceSpec& x) {
        x.core_groups = some<CoreGroupLevel>([] {
          return CoreGroupLevel{"g", one_of({0U, 1U, 2U}), some<std::uint32_t>(hostile_number<std::uint32_t>)};
        });
      },
      [](DeviceSpec& x) {
        x.core_groups = {{"g", 1}};
        x.clusters = ClusterRule{one_of<std::string>({"g", "", "unknown"}), hostile_number<std::uint32_t>(),
                                 perhaps<std::uint32_t>(hostile_number<std::uint32_t>)};
      },
      [](DeviceSpec& x) { x.context_allocation = hostile_enum<ContextAllocation>(); },
      [](DeviceSpec& x) { x.large_grf_contexts = perhaps<std::uint32_t>(hostile_number<std::uint32_t>); },
      [](DeviceSpec& x) {
        if (x.memory)
          for (MemoryLevel& level : x.memory->levels) level.scope = one_of<std::string>({"core", "", "unknown"});
      },
      [](DeviceSpec& x) {
        x.arithmetic = some<ArithmeticRate>([] {
          return ArithmeticRate{hostile_kind(), hostile_decimal(), {}, perhaps<Decimal>(hostile_decimal)};
        });
      },
      [](DeviceSpec& x) {
        x.atomics = {perhaps<Decimal>(hostile_decimal), perhaps<Decimal>(hostile_decimal),
                     perhaps<Decimal>(hostile_decimal), perhaps<Decimal>(hostile_decimal)};
      },
      [](DeviceSpec& x) {
        x.memory = MemoryRule{perhaps<Bytes>(hostile_quantity<Bytes>), perhaps<Bytes>(hostile_quantity<Bytes>),
                              perhaps<BytesPerSecond>(hostile_quantity<BytesPerSecond>), some<MemoryLevel>([] {
                                return MemoryLevel{"", perhaps<Bytes>(hostile_quantity<Bytes>),
                                                   perhaps<BytesPerSecond>(hostile_quantity<BytesPerSecond>),
                                                   perhaps<StepTime>(hostile_time)};
                              }),
                              perhaps<Bytes>(hostile_quantity<Bytes>)};
      },
      [](DeviceSpec& x) {
        x.tie_order = TieOrder{hostile_enum<TieOrder::Pattern>(), hostile_ids<CoreId>()};
      },
  };
  one_in(3) ? (*rc::gen::elementOf(spoils))(d) : spoil_device_keys(d, "device.");
}

void spoil_rules(DispatchRules& rules) {
  DeviceSpec device;
  device.dispatch = rules;
  switch (between(0, 4)) {
    case 0: rules.kernel_choice = hostile_enum<KernelChoice>(); break;
    case 1: rules.tie_order = TieOrder{hostile_enum<TieOrder::Pattern>(), hostile_ids<CoreId>()}; break;
    default: spoil_device_keys(device, "device.dispatch."); rules = device.dispatch;
  }
}

void spoil_workload(Workload& workload) {
  const auto some_of = [](auto& list) -> auto& { return list[between<std::size_t>(0, list.size() - 1)]; };
  switch (between(0, 6)) {
    case 0:
    case 1: spoil_kernel(some_of(workload.kernels)); break;
    case 2:
    case 3: spoil_launch(some_of(workload.launches)); break;
    case 4: {
      Queue& queue = some_of(workload.queues);
      queue = {"", hostile_enum<QueueOrder>(), hostile_cores(), hostile_number<std::uint32_t>()};
      break;
    }
    case 5:
      if (between(0, 1) == 0) workload.queues.resize(1);
      workload.buffers.resize(1);
      break;
    default: workload.launches.resize(between<std::size_t>(1, workload.launches.size()));
  }
}

}  // namespace gdsim::testing
