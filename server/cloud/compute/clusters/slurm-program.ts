import type { SlurmPartition } from "./slurm-conf";
import { HOST_MARK, type SlurmFiles, slurmNodes } from "./slurm-conf";

const CONF_VARIABLE = "SVC_SLURM_CONF";
const GRES_VARIABLE = "SVC_SLURM_GRES";
const NODES_VARIABLE = "SVC_SLURM_NODES";
const GPU_FILES_MAX = 16;

/** Starts munge, the controller and the nodes, waits, and ends them in order. State and key stay with the pod's files. */
const SCRIPT = `set -e
umask 022
mkdir -p /etc/slurm /run/svc-gpus /var/log/slurm /var/lib/slurm/controller /var/lib/munge /root /tmp
chmod 1777 /tmp
# Slurm counts devices alone; these have nothing of a GPU.
i=0; while [ $i -lt ${GPU_FILES_MAX} ]; do ln -sf /dev/null /run/svc-gpus/$i; i=$((i + 1)); done
host=$(cat /proc/sys/kernel/hostname)
printf %s "$${CONF_VARIABLE}" | sed "s/${HOST_MARK}/$host/g" > /etc/slurm/slurm.conf
printf %s "$${GRES_VARIABLE}" > /etc/slurm/gres.conf
# The nodes begin with a look for control groups; this kind is the one that they do without.
printf 'CgroupPlugin=cgroup/v1\\n' > /etc/slurm/cgroup.conf
rm -f /run/munge.socket /run/munge.socket.* /run/*.pid
if [ ! -s /var/lib/munge/key ]; then
  (umask 077; dd if=/dev/urandom of=/var/lib/munge/key bs=1024 count=1 2>/dev/null)
fi
nodes=$${NODES_VARIABLE}
unset ${CONF_VARIABLE} ${GRES_VARIABLE} ${NODES_VARIABLE}
munged --foreground --force --socket=/run/munge.socket --key-file=/var/lib/munge/key --pid-file=/run/munged.pid \\
  --seed-file=/var/lib/munge/seed --log-file=/var/log/munged.log &
munged=$!
until [ -S /run/munge.socket ]; do kill -0 $munged; sleep 0.1; done
slurmctld -D &
controller=$!
trap 'kill $controller' TERM INT
for node in $nodes; do mkdir -p /var/lib/slurm/$node; slurmd -D -N $node & done
# A signal ends the first wait, the second one is for the state that the controller saves.
wait $controller || true
wait $controller || true
kill $munged || true`;

/** The first process of a pod of Slurm, and what it receives. */
export const slurmProgram = (
  files: SlurmFiles,
  partitions: readonly SlurmPartition[],
): { command: string[]; env: Record<string, string> } => ({
  command: ["/bin/sh", "-c", SCRIPT],
  env: {
    [CONF_VARIABLE]: files["slurm.conf"],
    [GRES_VARIABLE]: files["gres.conf"],
    [NODES_VARIABLE]: slurmNodes(partitions)
      .map(({ name }) => name)
      .join(" "),
  },
});

const NAME_LENGTH_MAX = 30;

/** A name that Slurm accepts, made from that of a node group, and not in `taken`, to which it is added. */
export function partitionName(text: string, taken: Set<string>): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, NAME_LENGTH_MAX)
    .replace(/-+$/, "");
  // Slurm reads the name "default" as settings for the partitions that follow.
  const base = slug === "" || slug === "default" ? "nodes" : slug;
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}-${i}`;
  taken.add(name);
  return name;
}
