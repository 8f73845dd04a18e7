#compdef gdsim
_gdsim_devices() { compadd -- ${(f)"$(gdsim devices --names --aliases 2>/dev/null)"} }
_gdsim() {
  local -a commands=(
    'run:a scenario\: its phases of occupancy, every table as CSV'
    'explain:why does it take so long, and what would help?'
    'sweep:many points, ranked\: which value is best?'
    'diff:what differs between two runs'
    'report:a run as a page to look at, or as a picture'
    'compare:a run beside a measurement'
    'check:does a scenario hold what it expects?'
    'occupancy:how many work-groups fit on a core, and why not more'
    'infer:which dispatch rules made this log, or give these phases?'
    'calibrate:fit parameters of a device or kernel to measured times'
    'import:a profile or a compiled kernel becomes a scenario'
    'devices:the GPUs there are, each number with its source'
    'probe-model:a device model of what tools/probe measured on your GPU'
    'serve:the page of a run in a browser, drawn anew as you save'
    'mcp:answers an assistant or an editor\: Model Context Protocol'
    'completion:prints what completes commands and options in a shell'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name=${words[2]}
  shift words
  (( CURRENT-- ))
  case $name in
    run)
      _arguments \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '--output[write all tables into DIR, or none; tables of a case into DIR/CASE]:folder:_files -/' \
        '-o[write all tables into DIR, or none; tables of a case into DIR/CASE]:folder:_files -/' \
        '--print[one of them to standard output\: timeline, cores, phases, work-groups, summary, launches, kernels, group-states, graph, time-use; of core groups groups; under preemption slices; of a repeated run repetitions, bands; block-times (JSON of UNC'\''s cuda_scheduling_examiner); on NVIDIA ncu]:NAME:(timeline cores phases work-groups summary launches kernels group-states graph time-use groups slices repetitions bands block-times ncu)' \
        '--sample[means over such intervals, as a profiler samples; with -o samples.csv]:TIME:' \
        '--timer[print what this timer shows\: nvbench, do_bench, cuda_events, profiler]:NAME:(nvbench do_bench cuda_events profiler)' \
        '--no-alternatives[do not try other values of what the model assumes]' \
        '--chart[print the timeline as a chart (always on a terminal; ASCII without UTF-8)]' \
        '--trace[a trace for the Perfetto viewer (.pftrace; - for standard output)]:file:_files' \
        '--jobs[run up to N simulations at once (default\: all cores); same output]:N:' \
        '-j[run up to N simulations at once (default\: all cores); same output]:N:' \
        '--max-events[stop after N events; the outcome is then\: bounded]:N:' \
        '--max-time[stop at this simulated time; the outcome is then\: bounded]:TIME:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    explain)
      _arguments \
        '*--output[write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture; repeatable)]:file:_files' \
        '*-o[write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture; repeatable)]:file:_files' \
        '--format[what goes to standard output\: text (default), csv or json]:FORMAT:(text csv json)' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '--of[the time of this launch, or of all of its `count`, instead of the run'\''s]:LAUNCH[\:duration|\:wait][\:mean|\:p50|\:p99]:' \
        '--jobs[run up to N simulations at once (default\: all cores); same output]:N:' \
        '-j[run up to N simulations at once (default\: all cores); same output]:N:' \
        '--max-events[stop after N events; the outcome is then\: bounded]:N:' \
        '--max-time[stop at this simulated time; the outcome is then\: bounded]:TIME:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    sweep)
      _arguments \
        '*--vary[let a value take these values (repeatable\: the product)]:NAME=LIST:' \
        '--zip[pair the lists instead\: first with first, second with second]' \
        '--where[drop the points for which this is 0, as in '\''tile * stages <= 64'\'']:EXPR:' \
        '--sample[draw N points of the product (Latin hypercube)]:N:' \
        '--seed[of --sample (default\: 0)]:S:' \
        '--metric[rank by duration (default), mean_occupancy, peak_occupancy, fit_occupancy, work_groups_per_core or waves]:NAME:(duration mean_occupancy peak_occupancy fit_occupancy work_groups_per_core waves)' \
        '--best[keep the N best rows only]:N:' \
        '*--output[write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture); FILE.sqlite is the store, which keeps every result (repeatable)]:file:_files' \
        '*-o[write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture); FILE.sqlite is the store, which keeps every result (repeatable)]:file:_files' \
        '--format[what goes to standard output\: text (default), csv or json]:FORMAT:(text csv json)' \
        '--resume[run only the points that the store has no result of]' \
        '--shard[run the I-th of N equal parts of the points, into -o FILE.sqlite]:I/N:' \
        '--merge[put the files of all shards together\: gdsim sweep --merge FILE.sqlite... -o all.sqlite]' \
        '--slurm[print a batch script for Slurm that runs N shards, retries and merges]:N:' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '--of[the time of this launch, or of all of its `count`, instead of the run'\''s]:LAUNCH[\:duration|\:wait][\:mean|\:p50|\:p99]:' \
        '--jobs[run up to N simulations at once (default\: all cores); same output]:N:' \
        '-j[run up to N simulations at once (default\: all cores); same output]:N:' \
        '--max-events[stop after N events; the outcome is then\: bounded]:N:' \
        '--max-time[stop at this simulated time; the outcome is then\: bounded]:TIME:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    diff)
      _arguments \
        '*--fail-if[exit with 1 if b'\''s is greater than a'\''s by more than X % of a'\''s (repeatable); '\''METRIC < -X %'\''\: if it is less by more than that]:'\''METRIC > X %'\'':' \
        '*--output[write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture; repeatable)]:file:_files' \
        '*-o[write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture; repeatable)]:file:_files' \
        '--format[what goes to standard output\: text (default), csv or json]:FORMAT:(text csv json)' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '*--case[run only this one of the scenario'\''s cases]:NAME:' \
        '--of[the time of this launch, or of all of its `count`, instead of the run'\''s]:LAUNCH[\:duration|\:wait][\:mean|\:p50|\:p99]:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    report)
      _arguments \
        '--output[FILE.html\: the page; FILE.svg\: one picture]:file:_files' \
        '-o[FILE.html\: the page; FILE.svg\: one picture]:file:_files' \
        '--scale[axes of threads\: device (default) shows all; fits ends them above what is held, if that is a fifth or less]:SCALE:(device fits)' \
        '--explain[show what would help, as `gdsim explain` finds it\: a run for each thing that is tried]' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    compare)
      _arguments \
        '--measured[the measured series]:file:_files' \
        '--occupancy-column[the column with the occupancy, if it has another name]:NAME:' \
        '--column[the same]:NAME:' \
        '--occupancy-unit[percent (0 to 100) or share (0 to 1), if the column does not say]:UNIT:(percent share)' \
        '--time-column[the column with the times at which samples begin, if it has another name]:NAME:' \
        '--time-unit[the unit of the times, if neither name nor cells say\: ps, ns, us, ms, s]:UNIT:(ps ns us ms s)' \
        '--timer[what measured the durations, whose part is subtracted\: nvbench, do_bench, cuda_events, profiler]:NAME:(nvbench do_bench cuda_events profiler)' \
        '--stretch[make the measured time as long as the simulated one]' \
        '--output[draw both]:file:_files' \
        '-o[draw both]:file:_files' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    check)
      _arguments \
        '--format[text (default), json or junit]:FORMAT:(text json junit)' \
        '--jobs[run up to N simulations at once (default\: all cores); same output]:N:' \
        '-j[run up to N simulations at once (default\: all cores); same output]:N:' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    occupancy)
      _arguments \
        '--device[a model (`gdsim devices`) or a device file]:device:_gdsim_devices' \
        '--local[work-items per work-group\: 256 or 16,16]:N:' \
        '--sub-group[work-items per thread, or auto\: the largest that divides --local (default\: the only size of the device)]:N:' \
        '--global[work-items of the launch, for waves and tail]:N:' \
        '--slm[shared local memory per work-group, as in 8KiB]:AMOUNT:' \
        '--registers[registers as the compiler prints them\: per work-item; on Intel GRFs per thread]:N:' \
        '--accumulation-registers[accumulation registers per work-item]:N:' \
        '--scalar-registers[scalar registers per thread]:N:' \
        '--barriers[barrier registers per work-group]:N:' \
        '--carveout-percent[how much of SLM and cache should be SLM]:N:' \
        '--slm-dynamic[the part of --slm that is given at launch]:AMOUNT:' \
        '--max-dynamic-slm[the maximum of dynamic SLM that the kernel opted in for]:AMOUNT:' \
        '--slm-opt-in[whether it opted in for more SLM than the default (default 1)]:0|1:' \
        '--large-grf[compiled for 256 GRFs per thread (Intel)]' \
        '--mode[one of the device'\''s modes\: cu, wgp]:NAME:' \
        '--cluster[work-groups that are placed together\: 8 or 2,4]:N:' \
        '--cooperative[also the largest cooperative launch\: all resident at once]' \
        '--format[text (default), json, csv or ncu\: the tables of Nsight Compute'\''s calculator]:FORMAT:(text json csv ncu)' \
        '--vary[the curve over local, registers or slm]:WHAT:(local registers slm)' \
        '--plot[draw the curve]' \
        '--kernel[of FILE, only kernels in whose names this regular expression is found (RE2 syntax)]:REGEX:' \
        '--table[answer every row of a table (- for standard input)]:file:_files' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    infer)
      _arguments \
        '*--output[write FILE.csv or FILE.json (repeatable)]:file:_files' \
        '*-o[write FILE.csv or FILE.json (repeatable)]:file:_files' \
        '--format[what goes to standard output\: text (default), csv or json]:FORMAT:(text csv json)' \
        '--device[the model of the GPU that made the log]:device:_gdsim_devices' \
        '--phases[occupancy of each phase, percent of the device'\''s contexts\: 45.3,39.3,11.9]:LIST:' \
        '--within[how far each may be off, percentage points (default\: exactly)]:POINTS:' \
        '--one-early[also try one work-group that ends early, after 0.8 of its time]' \
        '--shard[of a log\: try every N-th choice of cores from the I-th on, and keep the results in -o FILE.sqlite]:I/N:' \
        '--merge[put the files of all shards together\: gdsim infer LOG.csv --device NAME --merge FILE.sqlite...]' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '--jobs[run up to N simulations at once (default\: all cores); same output]:N:' \
        '-j[run up to N simulations at once (default\: all cores); same output]:N:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    calibrate)
      _arguments \
        '*--output[write FILE.csv or FILE.json (repeatable)]:file:_files' \
        '*-o[write FILE.csv or FILE.json (repeatable)]:file:_files' \
        '--format[what goes to standard output\: text (default), csv or json]:FORMAT:(text csv json)' \
        '--measured[the measured times]:file:_files' \
        '*--fit[fit this value (repeatable)\: '\''device.memory.in_flight=64 B..512 B'\'']:PATH=LOW..HIGH:' \
        '--holdout[keep this share of the rows from the fit, and show the error there\: 0.3]:SHARE:' \
        '--seed[which rows are held out (default 0)]:N:' \
        '--evaluations[search with at most N sets of values (default\: 150 for each parameter)]:N:' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '--jobs[run up to N simulations at once (default\: all cores); same output]:N:' \
        '-j[run up to N simulations at once (default\: all cores); same output]:N:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    import)
      _arguments \
        '--output[write the scenario there (default\: standard output)]:file:_files' \
        '-o[write the scenario there (default\: standard output)]:file:_files' \
        '--device[a model or a device file (default\: the one of the profile; the family that FILE is compiled for)]:device:_gdsim_devices' \
        '--kernel[only the kernel of this name, or kernels in whose names this regular expression is found (RE2 syntax)]:REGEX:' \
        '--from[of a profile\: only launches from so long after its first one]:TIME:' \
        '--to[of a profile\: only launches before so long after its first one]:TIME:' \
        '--top[of a profile\: only the N kernels of most time]:N:' \
        '--devices[of a profile\: N devices that each do the same, launches with `device\: each`]:N:' \
        '--link[of a profile, with --devices\: their link; collectives of known bytes use it]:BANDWIDTH,LATENCY:' \
        '--exact[of a profile\: a kernel for each launch, each with its own duration]' \
        '--merge[of a profile\: one kernel for all launches of equal shape, their spread a drawn variation]' \
        '--block[work-items per work-group, or X,Y,Z (default\: 256, or the kernel'\''s bound if that is less)]:N:' \
        '--grid[work-groups of each launch, or X,Y,Z (default\: as many as the device holds at once)]:N:' \
        '--shared[shared local memory that is given at launch, beside the static one\: 4096 or 4KiB]:BYTES:' \
        '--program[of PTX or AMDGPU assembly\: the steps of one kernel, from its addresses, which are executed (experimental)]' \
        '--cubin[of PTX\: registers are read from FILE, a cubin (its counts, too) or what `ptxas -v` prints]:file:_files' \
        '*--arg[of --program\: argument N, from 0, of the kernel; pointers need none]:N=VALUE:' \
        '*--trips[of --program\: iterations of a loop that depend on data, by the loop'\''s label]:LOOP=N:' \
        '*--branch[of --program\: a branch that depends on data, by its line]:LINE=taken|skipped:' \
        '--gather[of --program\: sectors of a request whose addresses depend on data, 1 to 32; of PTX also the bytes in which they lie]:SECTORS[\:BYTES]:' \
        '--warm[of --program\: before the launch, the last cache holds what it loads (default\: nothing)]' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    devices)
      _arguments \
        '--check[what is missing of the model, and what that costs its users]' \
        '--names[the names alone, one per line]' \
        '--aliases[with --names\: also the other names that models have]' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '1:device:_gdsim_devices'
      ;;
    probe-model)
      _arguments \
        '*--output[write FILE.yaml (the device), .html, .csv or .json (repeatable)]:file:_files' \
        '*-o[write FILE.yaml (the device), .html, .csv or .json (repeatable)]:file:_files' \
        '--format[what goes to standard output\: text (default), csv or json]:FORMAT:(text csv json)' \
        '--family[the family that supplies unmeasured values (default\: by the tables'\'' architecture)]:NAME:' \
        '--name[the device'\''s name in scenarios (default\: that of FILE.yaml, or my-gpu)]:NAME:' \
        '--jobs[run up to N simulations at once (default\: all cores); same output]:N:' \
        '-j[run up to N simulations at once (default\: all cores); same output]:N:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    serve)
      _arguments \
        '--port[serve at this port, from 1 to 65535 (default\: one that is free)]:N:' \
        '--scale[axes of threads\: device (default) shows all; fits ends them above what is held, if that is a fifth or less]:SCALE:(device fits)' \
        '--explain[show what would help, as `gdsim explain` finds it\: a run for each thing that is tried]' \
        '*--set[replace one value of the scenario before it is read (repeatable; in quotes if it has spaces\: --set '\''kernels.k.slm=4 KiB'\'')]:PATH=VALUE:' \
        '--case[run only this one of the scenario'\''s cases]:NAME:' \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    mcp)
      _arguments \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]' \
        '*:file:_files'
      ;;
    completion)
      _arguments \
        '*--models[look up device models in DIR, too (repeatable)]:folder:_files -/' \
        '--log-level[trace, debug, info, warn (default), error, critical or off]:LEVEL:(trace debug info warn error critical off)' \
        '--color[auto (default), always or never; NO_COLOR is respected]:WHEN:(auto always never)' \
        '--help[this help]' \
        '-h[this help]'
      ;;
  esac
}
if [[ $funcstack[1] == _gdsim ]]; then _gdsim "$@"; else compdef _gdsim gdsim; fi
