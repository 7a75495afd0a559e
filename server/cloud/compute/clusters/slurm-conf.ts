/** Nodes of Slurm that are alike. */
export interface SlurmPartition {
  /** Letters, digits and `-`. */
  name: string;
  nodes: number;
  /** GPUs that jobs can ask for; no job has their devices. undefined: none. */
  gpus: { model: string; perNode: number } | undefined;
}

export interface SlurmShape {
  partitions: readonly SlurmPartition[];
  /** Of the pod, which all nodes share. */
  cores: number;
  memoryMb: number;
}

/** The contents of the files of Slurm, by their name in /etc/slurm. */
export type SlurmFiles = Readonly<Record<"slurm.conf" | "gres.conf", string>>;

/** Is replaced by the name of the host of the pod when it starts. */
export const HOST_MARK = "@HOST@";
/** Nodes of all partitions: each one is a process of the pod. */
export const SLURM_NODES_MAX = 16;
const FIRST_PORT = 17_001;
const CONTROLLER_PORT = 6817;
const NO_GROUPS: readonly SlurmPartition[] = [{ name: "main", nodes: 1, gpus: undefined }];

/** What a job finds of a GPU: a file of its own, so that Slurm can count it. */
const GPU_FILES = "/run/svc-gpus";

/** Names of the nodes of a partition. */
const nodeName = (partition: string, index: number): string => `${partition}-${index + 1}`;

/** Partitions as a pod can have them: at least one node, and at most `SLURM_NODES_MAX`. */
export function fittingPartitions(asked: readonly SlurmPartition[]): readonly SlurmPartition[] {
  let left = SLURM_NODES_MAX;
  const fitting = asked.flatMap((partition) => {
    const nodes = Math.min(partition.nodes, left);
    left -= nodes;
    return nodes > 0 ? [{ ...partition, nodes }] : [];
  });
  return fitting.length > 0 ? fitting : NO_GROUPS;
}

/** Every node of the partitions, with its port. */
export const slurmNodes = (partitions: readonly SlurmPartition[]): { name: string; port: number }[] =>
  partitions
    .flatMap(({ name, nodes }) => Array.from({ length: nodes }, (_, i) => nodeName(name, i)))
    .map((name, i) => ({ name, port: FIRST_PORT + i }));

/** The configuration of Slurm in a pod: the controller and all nodes are processes of it. */
export function slurmFiles({ partitions, cores, memoryMb }: SlurmShape): SlurmFiles {
  const ports = new Map(slurmNodes(partitions).map(({ name, port }) => [name, port]));
  const memory = Math.max(1, memoryMb);
  const nodeLines = partitions.flatMap(({ name, nodes, gpus }) =>
    Array.from({ length: nodes }, (_, i) => {
      const node = nodeName(name, i);
      const gres = gpus ? ` Gres=gpu:${gpus.model}:${gpus.perNode}` : "";
      const place = `NodeHostname=${HOST_MARK} NodeAddr=127.0.0.1 Port=${ports.get(node)}`;
      return `NodeName=${node} ${place} CPUs=${cores} RealMemory=${memory}${gres} State=UNKNOWN`;
    }),
  );
  const partitionLines = partitions.map(({ name, nodes }, i) => {
    const range = nodes === 1 ? nodeName(name, 0) : `${name}-[1-${nodes}]`;
    return `PartitionName=${name} Nodes=${range} Default=${i === 0 ? "YES" : "NO"} MaxTime=INFINITE State=UP`;
  });
  return {
    "slurm.conf": `${[...SETTINGS, ...nodeLines, ...partitionLines].join("\n")}\n`,
    "gres.conf": partitions.flatMap(gresLines).join(""),
  };
}

const gresLines = ({ name, nodes, gpus }: SlurmPartition): string[] => {
  if (!gpus) return [];
  const files = gpus.perNode === 1 ? `${GPU_FILES}/0` : `${GPU_FILES}/[0-${gpus.perNode - 1}]`;
  return Array.from(
    { length: nodes },
    (_, i) => `NodeName=${nodeName(name, i)} Name=gpu Type=${gpus.model} File=${files}\n`,
  );
};

const SETTINGS: readonly string[] = [
  "ClusterName=svc",
  `SlurmctldHost=${HOST_MARK}(127.0.0.1)`,
  `SlurmctldPort=${CONTROLLER_PORT}`,
  "SlurmUser=root",
  "SlurmdUser=root",
  "AuthType=auth/munge",
  "AuthInfo=socket=/run/munge.socket",
  "CryptoType=crypto/munge",
  "StateSaveLocation=/var/lib/slurm/controller",
  "SlurmdSpoolDir=/var/lib/slurm/%n",
  "SlurmctldPidFile=/run/slurmctld.pid",
  "SlurmdPidFile=/run/slurmd-%n.pid",
  // The pod has no control groups of its own.
  "ProctrackType=proctrack/linuxproc",
  "TaskPlugin=task/none",
  "JobAcctGatherType=jobacct_gather/none",
  "SelectType=select/cons_tres",
  "SelectTypeParameters=CR_Core",
  "SchedulerType=sched/backfill",
  "SlurmdParameters=config_overrides",
  "GresTypes=gpu",
  "MpiDefault=none",
  "MailProg=/usr/bin/true",
  // Without it, glibc resolves no name in a pod, whose only address is that of loopback.
  "CommunicationParameters=EnableIPv6",
  // Nodes are back at once after the pod was stopped and started.
  "ReturnToService=2",
  "SlurmctldTimeout=30",
  "SlurmdTimeout=60",
];
