import { describe, expect, it } from "vitest";
import { fittingPartitions, SLURM_NODES_MAX, slurmFiles, slurmNodes } from "./slurm-conf";
import { partitionName } from "./slurm-program";

const H100 = { model: "h100", perNode: 8 };

describe("the configuration of Slurm", () => {
  it("has a partition with nodes of their own ports for each node group, and GPUs as files", () => {
    const partitions = fittingPartitions([
      { name: "train", nodes: 2, gpus: H100 },
      { name: "cpu", nodes: 1, gpus: undefined },
    ]);
    const files = slurmFiles({ partitions, cores: 4, memoryMb: 2048 });
    const lines = files["slurm.conf"].split("\n").filter((line) => /^(NodeName|PartitionName)/.test(line));
    const place = "NodeHostname=@HOST@ NodeAddr=127.0.0.1";
    expect(lines).toEqual([
      `NodeName=train-1 ${place} Port=17001 CPUs=4 RealMemory=2048 Gres=gpu:h100:8 State=UNKNOWN`,
      `NodeName=train-2 ${place} Port=17002 CPUs=4 RealMemory=2048 Gres=gpu:h100:8 State=UNKNOWN`,
      `NodeName=cpu-1 ${place} Port=17003 CPUs=4 RealMemory=2048 State=UNKNOWN`,
      "PartitionName=train Nodes=train-[1-2] Default=YES MaxTime=INFINITE State=UP",
      "PartitionName=cpu Nodes=cpu-1 Default=NO MaxTime=INFINITE State=UP",
    ]);
    expect(files["gres.conf"]).toBe(
      [1, 2].map((i) => `NodeName=train-${i} Name=gpu Type=h100 File=/run/svc-gpus/[0-7]\n`).join(""),
    );
  });

  it("has one node without node groups, and at most as many as a pod has processes for", () => {
    expect(fittingPartitions([])).toEqual([{ name: "main", nodes: 1, gpus: undefined }]);
    const many = fittingPartitions([
      { name: "a", nodes: 12, gpus: H100 },
      { name: "b", nodes: 12, gpus: H100 },
      { name: "c", nodes: 1, gpus: H100 },
    ]);
    expect(slurmNodes(many)).toHaveLength(SLURM_NODES_MAX);
    expect(many.map(({ name, nodes }) => [name, nodes])).toEqual([
      ["a", 12],
      ["b", 4],
    ]);
  });

  it("has names of partitions that Slurm accepts, each once", () => {
    const taken = new Set<string>();
    const names = ["GPU Träning!", "default", "!!!", "gpu-tr-ning"].map((name) => partitionName(name, taken));
    expect(names).toEqual(["gpu-tr-ning", "nodes", "nodes-2", "gpu-tr-ning-2"]);
  });
});
