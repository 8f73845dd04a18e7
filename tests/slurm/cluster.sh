#!/bin/sh
# A Slurm of one machine, for tests: its own configuration, sockets, logs and state in FOLDER. Needs root.
#
#   tests/slurm/cluster.sh start FOLDER      prints the line that makes a shell use it
#   tests/slurm/cluster.sh node FOLDER       starts the node's daemon again, after it was killed
#   tests/slurm/cluster.sh stop FOLDER
set -eu

folder=$2
host=$(hostname -s)

configure() {
  mkdir -p "$folder/state" "$folder/spool" "$folder/log" "$folder/munge"
  head -c 1024 /dev/urandom > "$folder/munge/key"
  chmod 700 "$folder/munge"
  chmod 400 "$folder/munge/key"
  cat > "$folder/slurm.conf" <<CONFIG
ClusterName=gdsim_test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmctldPort=$(free_port 16817)
SlurmdPort=$(free_port 16918)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MaxArraySize=1001
KillWait=2
SlurmdTimeout=60
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
CONFIG
}

free_port() {
  port=$1
  while ss -ltn 2>/dev/null | grep -q ":$port "; do port=$((port + 1)); done
  echo "$port"
}

munge_up() {
  munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/log/munged" --seed-file="$folder/munge/seed" --num-threads=2
}

node_up() {
  SLURM_CONF=$folder/slurm.conf slurmd -f "$folder/slurm.conf" -N "$host"
}

case $1 in
  start)
    configure
    munge_up
    SLURM_CONF=$folder/slurm.conf slurmctld -f "$folder/slurm.conf"
    node_up
    export SLURM_CONF="$folder/slurm.conf"
    tries=0
    until sinfo -h -o %T 2>/dev/null | grep -q idle; do
      tries=$((tries + 1))
      [ "$tries" -lt 300 ] || { echo "the node does not come up; see $folder/log" >&2; exit 1; }
      sleep 0.2
    done
    echo "export SLURM_CONF=$folder/slurm.conf"
    ;;
  node) node_up ;;
  stop)
    for name in slurmd slurmctld munge/pid; do
      file=$folder/$name
      [ "$name" = munge/pid ] || file=$folder/$name.pid
      [ -f "$file" ] || continue
      pid=$(cat "$file")
      kill "$pid" 2>/dev/null || continue
      while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    done
    ;;
esac
