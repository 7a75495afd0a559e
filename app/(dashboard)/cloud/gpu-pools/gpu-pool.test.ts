import { expect, it } from "vitest";
import {
  fragmentation,
  gangKeepText,
  nodeText,
  type PoolDevice,
  type PoolNode,
  racksOf,
  upgradeText,
} from "./gpu-pool";

const device = (use: PoolDevice["use"]): PoolDevice => ({ use, spot: false, pod_id: use === "own" ? "pod_1" : null });
const node = (name: string, domain: string | null): PoolNode => ({
  name,
  domain,
  accepts_pods: true,
  draining: false,
  devices: [],
});

it("groups nodes by NVLink domain, and keeps their order", () => {
  const nodes = [node("a1", "a"), node("a2", "a"), node("b1", "b")];
  expect(racksOf(nodes).map(({ domain, nodes: in_ }) => [domain, in_.map(({ name }) => name)])).toEqual([
    ["a", ["a1", "a2"]],
    ["b", ["b1"]],
  ]);
  expect(racksOf([node("n1", null), node("n2", null)])).toHaveLength(1);
});

it("says what a node has in use", () => {
  const devices = [device("own"), device("other"), device("free")];
  expect(nodeText({ ...node("h100-1", null), devices })).toBe("h100-1: 2 of 3 GPUs in use, 1 of them by your pods");
  expect(nodeText({ ...node("n", null), devices: [device("free")], accepts_pods: false })).toBe(
    "n: 0 of 1 GPUs in use, accepts no pods",
  );
});

it("has no fragmentation where nothing is free", () => {
  const pool = { region: "use", gpu: "h100", simulated: true, nodes: 1, gpus: 8, used_gpus: 8 } as const;
  expect(fragmentation({ ...pool, spot_gpus: 0, free_gpus: 0, largest_free: 0, scattered_gpus: 0 })).toBeNull();
  expect(fragmentation({ ...pool, spot_gpus: 0, free_gpus: 4, largest_free: 3, scattered_gpus: 3 })).toBe(0.75);
});

it("says what is kept for a gang", () => {
  const times = { since: "2026-11-20T09:00:00.000Z", starts_by: "2026-12-20T09:00:00.000Z" };
  const nodes = [
    { name: "h100-1", gpus: 8 },
    { name: "h100-2", gpus: 4 },
  ];
  const text = "as they become free: 8 on h100-1, 4 on h100-2;";
  expect(gangKeepText({ ...times, nodes, missing_gpus: 3, gang: "llama" })).toBe(
    `GPUs are kept for the gang llama, ${text} 3 are still in use`,
  );
  expect(gangKeepText({ ...times, nodes, missing_gpus: 1, gang: null })).toBe(
    `GPUs are kept for a gang, ${text} 1 is still in use`,
  );
});

it("says how far an upgrade is", () => {
  const upgrade = { target_version: "1.2.0", strategy: "rolling", max_unavailable: 2, state: "running" } as const;
  const text = "Upgrade to 1.2.0: 3 of 8 nodes, rolling, at most 2 at a time";
  expect(upgradeText({ ...upgrade, nodes: 8, upgraded_nodes: 3 })).toBe(text);
  expect(upgradeText({ ...upgrade, state: "paused", nodes: 8, upgraded_nodes: 3 })).toBe(`${text}, paused`);
  expect(upgradeText({ ...upgrade, target_version: null, nodes: 8, upgraded_nodes: 3 })).toBe(
    "Restart of agents: 3 of 8 nodes, rolling, at most 2 at a time",
  );
});
