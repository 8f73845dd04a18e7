"""The GPU-shaped job in SimPy: a process per slot. Arguments: work-groups, jitter (0 or 1). Prints nanoseconds per
work-group."""
import random
import sys
import time

import simpy

groups = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
jittered = len(sys.argv) > 2 and sys.argv[2] == "1"
random.seed(1)
durations = iter([random.randint(8_300_000, 11_700_000) if jittered else 10_000_000 for _ in range(groups)])
resident = integral = changed = 0


def slot(env):
    global resident, integral, changed
    for duration in durations:
        integral += resident * (env.now - changed)
        changed = env.now
        resident += 1
        yield env.timeout(duration)
        integral += resident * (env.now - changed)
        changed = env.now
        resident -= 1


env = simpy.Environment()
for _ in range(132 * 8):
    env.process(slot(env))
start = time.perf_counter()
env.run()
print("%.2f" % ((time.perf_counter() - start) * 1e9 / groups))
