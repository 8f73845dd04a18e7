# bash completion for gdsim
_gdsim() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local options='' words='' files=yes
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'run explain sweep diff report compare check occupancy infer calibrate import devices probe-model serve mcp completion help --help --version' -- "$current"))
    return
  fi
  case ${COMP_WORDS[1]} in
    help) COMPREPLY=($(compgen -W 'run explain sweep diff report compare check occupancy infer calibrate import devices probe-model serve mcp completion ' -- "$current")); return ;;
    run)
      case $previous in
        --set) return ;;
        --case) return ;;
        -o|--output) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --print) COMPREPLY=($(compgen -W "timeline cores phases work-groups summary launches kernels group-states graph time-use groups slices repetitions bands block-times ncu" -- "$current")); return ;;
        --sample) return ;;
        --timer) COMPREPLY=($(compgen -W "nvbench do_bench cuda_events profiler" -- "$current")); return ;;
        --trace) COMPREPLY=($(compgen -f -- "$current")); return ;;
        -j|--jobs) return ;;
        --max-events) return ;;
        --max-time) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--set --case --output --print --sample --timer --no-alternatives --chart --trace --jobs --max-events --max-time --models --log-level --color --help '
      ;;
    explain)
      case $previous in
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "text csv json" -- "$current")); return ;;
        --set) return ;;
        --case) return ;;
        --of) return ;;
        -j|--jobs) return ;;
        --max-events) return ;;
        --max-time) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--output --format --set --case --of --jobs --max-events --max-time --models --log-level --color --help '
      ;;
    sweep)
      case $previous in
        --vary) return ;;
        --where) return ;;
        --sample) return ;;
        --seed) return ;;
        --metric) COMPREPLY=($(compgen -W "duration mean_occupancy peak_occupancy fit_occupancy work_groups_per_core waves" -- "$current")); return ;;
        --best) return ;;
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "text csv json" -- "$current")); return ;;
        --shard) return ;;
        --slurm) return ;;
        --set) return ;;
        --case) return ;;
        --of) return ;;
        -j|--jobs) return ;;
        --max-events) return ;;
        --max-time) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--vary --zip --where --sample --seed --metric --best --output --format --resume --shard --merge --slurm --set --case --of --jobs --max-events --max-time --models --log-level --color --help '
      ;;
    diff)
      case $previous in
        --fail-if) return ;;
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "text csv json" -- "$current")); return ;;
        --set) return ;;
        --case) return ;;
        --of) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--fail-if --output --format --set --case --of --models --log-level --color --help '
      ;;
    report)
      case $previous in
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --scale) COMPREPLY=($(compgen -W "device fits" -- "$current")); return ;;
        --set) return ;;
        --case) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--output --scale --explain --set --case --models --log-level --color --help '
      ;;
    compare)
      case $previous in
        --measured) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --occupancy-column) return ;;
        --column) return ;;
        --occupancy-unit) COMPREPLY=($(compgen -W "percent share" -- "$current")); return ;;
        --time-column) return ;;
        --time-unit) COMPREPLY=($(compgen -W "ps ns us ms s" -- "$current")); return ;;
        --timer) COMPREPLY=($(compgen -W "nvbench do_bench cuda_events profiler" -- "$current")); return ;;
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --set) return ;;
        --case) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--measured --occupancy-column --column --occupancy-unit --time-column --time-unit --timer --stretch --output --set --case --models --log-level --color --help '
      ;;
    check)
      case $previous in
        --format) COMPREPLY=($(compgen -W "text json junit" -- "$current")); return ;;
        -j|--jobs) return ;;
        --set) return ;;
        --case) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--format --jobs --set --case --models --log-level --color --help '
      ;;
    occupancy)
      case $previous in
        --device) COMPREPLY=($(compgen -W "$(gdsim devices --names --aliases 2>/dev/null)" -- "$current")); return ;;
        --local) return ;;
        --sub-group) return ;;
        --global) return ;;
        --slm) return ;;
        --registers) return ;;
        --accumulation-registers) return ;;
        --scalar-registers) return ;;
        --barriers) return ;;
        --carveout-percent) return ;;
        --slm-dynamic) return ;;
        --max-dynamic-slm) return ;;
        --slm-opt-in) return ;;
        --mode) return ;;
        --cluster) return ;;
        --format) COMPREPLY=($(compgen -W "text json csv ncu" -- "$current")); return ;;
        --vary) COMPREPLY=($(compgen -W "local registers slm" -- "$current")); return ;;
        --kernel) return ;;
        --table) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--device --local --sub-group --global --slm --registers --accumulation-registers --scalar-registers --barriers --carveout-percent --slm-dynamic --max-dynamic-slm --slm-opt-in --large-grf --mode --cluster --cooperative --format --vary --plot --kernel --table --models --log-level --color --help '
      ;;
    infer)
      case $previous in
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "text csv json" -- "$current")); return ;;
        --device) COMPREPLY=($(compgen -W "$(gdsim devices --names --aliases 2>/dev/null)" -- "$current")); return ;;
        --phases) return ;;
        --within) return ;;
        --shard) return ;;
        --set) return ;;
        --case) return ;;
        -j|--jobs) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--output --format --device --phases --within --one-early --shard --merge --set --case --jobs --models --log-level --color --help '
      ;;
    calibrate)
      case $previous in
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "text csv json" -- "$current")); return ;;
        --measured) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --fit) return ;;
        --holdout) return ;;
        --seed) return ;;
        --evaluations) return ;;
        --set) return ;;
        --case) return ;;
        -j|--jobs) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--output --format --measured --fit --holdout --seed --evaluations --set --case --jobs --models --log-level --color --help '
      ;;
    import)
      case $previous in
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --device) COMPREPLY=($(compgen -W "$(gdsim devices --names --aliases 2>/dev/null)" -- "$current")); return ;;
        --kernel) return ;;
        --from) return ;;
        --to) return ;;
        --top) return ;;
        --devices) return ;;
        --link) return ;;
        --block) return ;;
        --grid) return ;;
        --shared) return ;;
        --cubin) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --arg) return ;;
        --trips) return ;;
        --branch) return ;;
        --gather) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--output --device --kernel --from --to --top --devices --link --exact --merge --block --grid --shared --program --cubin --arg --trips --branch --gather --warm --models --log-level --color --help '
      ;;
    devices)
      case $previous in
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--check --names --aliases --models --log-level --color --help '
      words="$(gdsim devices --names --aliases 2>/dev/null)"
      files=no
      ;;
    probe-model)
      case $previous in
        -o|--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "text csv json" -- "$current")); return ;;
        --family) return ;;
        --name) return ;;
        -j|--jobs) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--output --format --family --name --jobs --models --log-level --color --help '
      ;;
    serve)
      case $previous in
        --port) return ;;
        --scale) COMPREPLY=($(compgen -W "device fits" -- "$current")); return ;;
        --set) return ;;
        --case) return ;;
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--port --scale --explain --set --case --models --log-level --color --help '
      ;;
    mcp)
      case $previous in
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--models --log-level --color --help '
      ;;
    completion)
      case $previous in
        --models) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --log-level) COMPREPLY=($(compgen -W "trace debug info warn error critical off" -- "$current")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
      esac
      options='--models --log-level --color --help '
      files=no
      ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $files == yes ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _gdsim gdsim
