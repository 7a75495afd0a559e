import { expect, it, vi } from "vitest";
import type { Runtime } from "../../../engines/runtime/runtime";
import type { NetworkState } from "../../../engines/runtime/runtime-networks";
import { NetworkUpdates } from "./network-updates";

/** Each read of the database finds one pod more than the one before; the test lets the reads end. */
function scene() {
  const reads: (() => void)[] = [];
  const pods: { id: string; name: string; address: string }[] = [];
  const query = () => {
    const name = `p${pods.length + 1}`;
    pods.push({ id: `pod_${name}`, name, address: `10.0.0.${pods.length + 4}` });
    const rows = [{ id: "net", hasEgress: false, pods: [...pods] }];
    return new Promise((resolve) => reads.push(() => resolve({ rows })));
  };
  const told: number[] = [];
  const apply = async ([state]: readonly NetworkState[]) => void told.push(state?.hosts.trim().split("\n").length ?? 0);
  const runtime = { networks: { apply } } as unknown as Runtime;
  const updates = new NetworkUpdates({ sql: { query } as never, nodeId: "node", log: { warn: vi.fn() } });
  /** Ends the read that began last. */
  const endLast = async () => {
    await vi.waitUntil(() => reads.length > 0, { timeout: 60_000 });
    reads.pop()?.();
  };
  return { updates, runtime, told, pods, endLast };
}

it("looks follow each other, so that a node never ends with names that were read before others", async () => {
  const { updates, runtime, told, endLast } = scene();
  const looks = [updates.look(runtime), updates.look(runtime)];
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  await endLast();
  await endLast();
  await Promise.all(looks);
  expect(told).toEqual([1, 2]);
});

it("a node is told the same again before a pod starts, because it may have forgotten the network", async () => {
  const { updates, runtime, told, pods, endLast } = scene();
  for (const repeats of [false, false, true]) {
    pods.length = 0;
    const look = updates.look(runtime, { repeats });
    await endLast();
    await look;
  }
  expect(told).toEqual([1, 1]);
});
