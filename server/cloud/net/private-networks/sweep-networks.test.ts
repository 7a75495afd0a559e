import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { ManualClock } from "../../../kernel/clock";
import { listUnknown } from "../../core/quarantine/list-unknown";
import { sweepNetworks } from "./sweep-networks";

const DAY_MS = 24 * 3_600_000;
const database = await openForFile(testDatabase());

it("networks of a node that no record names are reported, and deleted after 7 days", async () => {
  const clock = new ManualClock(new Date("2026-12-01T00:00:00Z"));
  const { db, sql } = database;
  let [left, removed]: [string[], string[]] = [["res_known", "res_lost"], []];
  const networks = {
    apply: async () => undefined,
    unused: async () => left,
    remove: async (id: string) => {
      removed.push(id);
      left = left.filter((one) => one !== id);
    },
  };
  const owner = { tenantId: "ten_1", projectId: "prj_1", mode: "test" as const, nodeId: "node" };
  const settings = { cidr: "10.0.0.0/24", subnets: [], closed: false, createdAt: clock.now() };
  await db.privateNetwork.create({ data: { id: "res_known", ...owner, ...settings } });
  const log = { error: () => undefined, warn: () => undefined };
  const sweep = () => sweepNetworks({ sql, clock, log, nodeId: "node" }, networks);

  expect(await sweep()).toBe(2);
  clock.advance(7 * DAY_MS - 1);
  await sweep();
  expect(await listUnknown({ sql })).toMatchObject([
    { node: "node", what: "res_lost", kind: "network", deleted_at: "2026-12-08T00:00:00.000Z" },
  ]);
  expect(removed).toEqual([]);
  clock.advance(1);
  await sweep();
  expect(removed).toEqual(["res_lost"]);
  await sweep();
  expect(await listUnknown({ sql })).toEqual([]);
});
