import { describe, expect, it } from "vitest";
import { decideGpuNodes, type ReportedGpuNode, type StoredGpuNode } from "./decide-gpu-nodes";

const NOW = new Date("2026-11-27T07:00:00Z");
const H100 = "NVIDIA H100 80GB HBM3";

interface Gpu {
  uuid: string;
  name?: string;
  problem?: string;
}

function node(gpus: readonly Gpu[], more: Partial<ReportedGpuNode> & { name?: string; region?: "use" | "euw" } = {}) {
  const { name = "box", region = "use", ...state } = more;
  const list = gpus.map(({ uuid, name: model = H100, problem = null }, index) => ({
    index,
    uuid,
    name: model,
    memory_mb: 1,
    problem,
  }));
  const told = { name, region, cpu: 4, gpus: list };
  return { nodeId: "node-1", isFresh: true, isGone: false, memoryMb: 1000, gpus: told, ...state };
}

/** What is stored after these nodes have reported one after another. */
function storedAfter(...rounds: ReportedGpuNode[][]): StoredGpuNode[] {
  let stored: StoredGpuNode[] = [];
  for (const nodes of rounds) {
    const changes = decideGpuNodes(nodes, stored, NOW).map((change) => ({ ...change, held: 0 }));
    const same = (a: StoredGpuNode, b: StoredGpuNode) => a.pool === b.pool && a.node === b.node;
    stored = [...stored.filter((one) => !changes.some((change) => same(one, change))), ...changes];
  }
  return stored;
}

const [A, B] = [{ uuid: "GPU-a" }, { uuid: "GPU-b" }];
const held = (nodes: StoredGpuNode[]) => nodes.map((node) => ({ ...node, held: 1 }));

describe("the GPUs of a node in its pools", () => {
  it("are one for each model that svc offers, and none for GPUs with a problem or of another model", () => {
    const gpus = [
      A,
      { ...B, name: "NVIDIA L40S" },
      { uuid: "GPU-c", name: "NVIDIA T4" },
      { uuid: "GPU-d", problem: "MIG" },
    ];
    const open = { node: "box", nodeId: "node-1", gpus: 1, cpuMilli: 4000, memoryMib: 1000, cordonedAt: null };
    expect(storedAfter([node(gpus)])).toMatchObject([
      { ...open, pool: "use/h100/live", gpuUuids: ["GPU-a"] },
      { ...open, pool: "use/l40s/live", gpuUuids: ["GPU-b"] },
    ]);
  });

  it("do not change while the node reports the same", () => {
    expect(decideGpuNodes([node([A, B])], storedAfter([node([A, B])]), NOW)).toEqual([]);
  });

  it("keep the number of each device when a GPU fails, comes back or is added", () => {
    const failed = storedAfter([node([A, B])], [node([{ ...A, problem: "ECC" }, B])]);
    expect(failed).toMatchObject([{ gpuUuids: ["GPU-a", "GPU-b"], withheld: [0] }]);
    const added = node([{ uuid: "GPU-c" }, B, A]);
    expect(storedAfter([node([A, B])], [node([B])], [added])).toMatchObject([
      { gpuUuids: ["GPU-a", "GPU-b", "GPU-c"], withheld: [], gpus: 3 },
    ]);
  });

  it("are cordoned while the node does not report, and open again when it does", () => {
    const lost = storedAfter([node([A])], [node([A], { isFresh: false })]);
    expect(lost).toMatchObject([{ cordonedAt: NOW, cordonSource: "health", gpus: 1 }]);
    expect(decideGpuNodes([node([A])], lost, NOW)).toMatchObject([{ cordonedAt: null, cordonSource: null }]);
    const byOperator = lost.map((node) => ({ ...node, cordonSource: "operator" as const, cordonReason: "repair" }));
    expect(decideGpuNodes([node([A])], byOperator, NOW)).toEqual([]);
  });

  it("are withdrawn with the node, but not while pods hold their GPUs", () => {
    const stored = storedAfter([node([A])]);
    for (const gone of [[], [node([], { gpus: null })], [node([A], { isFresh: false, isGone: true })]]) {
      expect(decideGpuNodes(gone, stored, NOW)).toMatchObject([{ gpus: 0, gpuUuids: [], cordonedAt: NOW }]);
      expect(decideGpuNodes(gone, held(stored), NOW)).toMatchObject([{ gpus: 1, cordonedAt: NOW }]);
    }
    expect(storedAfter([node([A])], [], [node([A])])).toMatchObject([{ node: "box", gpus: 1, cordonedAt: null }]);
  });

  it("move when the node joins in another region, once no pod holds their GPUs", () => {
    const stored = storedAfter([node([A])]);
    const moved = [node([A], { region: "euw" })];
    expect(decideGpuNodes(moved, held(stored), NOW)).toMatchObject([{ pool: "use/h100/live", withheld: [0] }]);
    expect(decideGpuNodes(moved, stored, NOW)).toMatchObject([
      { pool: "use/h100/live", gpus: 0 },
      { pool: "euw/h100/live", gpus: 1 },
    ]);
  });

  it("have no GPU that another node has, and a name of their own", () => {
    const second = node([A, B], { nodeId: "node-two-long" });
    expect(storedAfter([node([A]), second])).toMatchObject([
      { node: "box", gpuUuids: ["GPU-a"] },
      { node: "box-node-two", gpuUuids: ["GPU-b"] },
    ]);
  });
});
