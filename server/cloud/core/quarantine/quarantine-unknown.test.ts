import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { ManualClock } from "../../../kernel/clock";
import { listUnknown } from "./list-unknown";
import { quarantineUnknown } from "./quarantine-unknown";

const DAY_MS = 24 * 3_600_000;
const START = new Date("2026-12-01T00:00:00Z");
const database = await openForFile(testDatabase());

it("volumes that a restored database does not know are kept for 7 days and reported, and taken back when it knows them", async () => {
  const clock = new ManualClock(START);
  const [removed, alarms]: [string[], unknown[]] = [[], []];
  const ctx = {
    sql: database.sql,
    clock,
    nodeId: "node",
    remove: async (id: string) => void removed.push(id),
    log: { error: (first: unknown) => void alarms.push(first), warn: () => undefined },
  };
  const sweep = (kind: "pod" | "shared", ...ids: string[]) => quarantineUnknown(ctx, { kind, ids });
  const listed = async () => (await listUnknown(ctx)).map(({ what }) => what);

  await sweep("pod", "pod_a-1", "pod_b-1");
  await sweep("shared", "res_c");
  await sweep("pod", "pod_a-1", "pod_b-1");
  expect([await listed(), removed]).toEqual([["pod_a-1", "pod_b-1", "res_c"], []]);
  expect(alarms).toEqual([
    { alarm: "unknown_volumes", node: "node", ids: ["pod_a-1", "pod_b-1"] },
    { alarm: "unknown_volumes", node: "node", ids: ["res_c"] },
  ]);
  expect((await listUnknown(ctx))[0]).toMatchObject({
    found_at: "2026-12-01T00:00:00.000Z",
    deleted_at: "2026-12-08T00:00:00.000Z",
  });

  clock.advance(6 * DAY_MS);
  // A newer backup that names b was restored.
  await sweep("pod", "pod_a-1");
  await sweep("shared", "res_c");
  expect([await listed(), removed]).toEqual([["pod_a-1", "res_c"], []]);
  clock.advance(DAY_MS);
  await sweep("pod", "pod_a-1", "pod_b-1");
  expect(removed).toEqual(["pod_a-1"]);
  await sweep("pod", "pod_b-1");
  await sweep("shared", "res_c");
  // The time of b began again.
  expect([await listed(), removed]).toEqual([
    ["res_c", "pod_b-1"],
    ["pod_a-1", "res_c"],
  ]);
  await sweep("shared");
  expect(await listed()).toEqual(["pod_b-1"]);
});
