#!/bin/sh
# A Slurm of one machine, for tests: its own configuration, sockets, logs and state in FOLDER. Needs root.
#
#   tests/slurm/cluster.sh start FOLDER      prints the line that makes a shell use it
#   tests/slurm/cluster.sh controller FOLDER starts the controller again, after it was killed
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

controller_up() {
  SLURM_CONF=$folder/slurm.conf slurmctld -f "$folder/slurm.conf"
}

case $1 in
  start)
    configure
    munge_up
    controller_up
    SLURM_CONF=$folder/slurm.conf slurmd -f "$folder/slurm.conf" -N "$host"
    export SLURM_CONF="$folder/slurm.conf"
    tries=0
    until sinfo -h -o %T 2>/dev/null | grep -q idle; do
      tries=$((tries + 1))
      [ "$tries" -lt 300 ] || { echo "the node does not come up; see $folder/log" >&2; exit 1; }
      sleep 0.2
    done
    echo "export SLURM_CONF=$folder/slurm.conf"
    ;;
  controller) controller_up ;;
  stop)
    for name in slurmd slurmctld munge/pid; do
      file=$folder/$name
      [ "$name" = munge/pid ] || file=$folder/$name.pid
      [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
    done
    ;;
esac
