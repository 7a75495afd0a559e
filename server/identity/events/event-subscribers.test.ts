import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { startAlarms } from "../../engines/start-alarms";
import { systemClock } from "../../kernel/clock";
import type { Actor, Mode } from "../../operation/actor";
import { EventSubscribers } from "./event-subscribers";

const { db, sql } = await openForFile(testDatabase());
const alarms = startAlarms({ sql, clock: systemClock, log: pino({ level: "silent" }), isManual: true });
afterAll(() => alarms.stop());
const subscribers = new EventSubscribers({ db, alarms });
const at = new Date("2026-11-20T12:00:00Z");

let written = 0;
async function write(
  tenantId: string,
  { mode = "live", projectId = null }: { mode?: Mode; projectId?: string | null },
) {
  const id = `evt_${++written}`;
  const type = "pod.ready";
  await db.event.create({ data: { id, tenantId, projectId, mode, type, data: {}, createdAt: at, dispatchedAt: at } });
  return id;
}
const person = (tenantId: string): Actor => ({
  tenantId,
  kind: "person",
  userId: "usr_1",
  sessionId: "ses_1",
  role: "owner",
  scopes: new Set(),
});
const keyOf = (tenantId: string, projectId: string): Actor => ({
  tenantId,
  kind: "key",
  keyId: "key_1",
  projectId,
  mode: "live",
  scopes: new Set(),
});

it("notifies each subscriber once of what it may see, in order, and not of what was written before", async () => {
  await db.tenant.createMany({ data: ["ten_1", "ten_2"].map((id) => ({ id, name: id, createdAt: at })) });
  await write("ten_1", {});
  const received: Record<string, string[]> = { person: [], key: [], other: [], late: [] };
  const into = (name: string) => (event: { id: string }) => void received[name]?.push(event.id);
  const end = await subscribers.subscribe(person("ten_1"), into("person"));
  await subscribers.subscribe(keyOf("ten_1", "prj_1"), into("key"));
  await subscribers.subscribe(person("ten_2"), into("other"));
  const own = await write("ten_1", { projectId: "prj_1" });
  const whole = await write("ten_1", {});
  const hidden = [await write("ten_1", { projectId: "prj_2" }), await write("ten_1", { mode: "test" })];
  const foreign = await write("ten_2", {});
  await subscribers.subscribe(person("ten_1"), into("late"));
  alarms.wake("webhooks");
  await alarms.settle();
  end();
  const last = await write("ten_1", {});
  alarms.wake("webhooks");
  await alarms.settle();
  expect(received).toEqual({
    person: [own, whole, ...hidden],
    key: [own, whole, last],
    other: [foreign],
    late: [last],
  });
});

it("notifies of more events than one query reads", async () => {
  const received: string[] = [];
  await subscribers.subscribe(person("ten_2"), ({ id }) => void received.push(id));
  const ids = Array.from({ length: 1201 }, (_, i) => `evt_many_${String(i).padStart(4, "0")}`);
  const rows = ids.map((id) => ({ id, tenantId: "ten_2", mode: "live" as const, type: "pod.ready", data: {} }));
  await db.event.createMany({ data: rows.map((row) => ({ ...row, createdAt: at, dispatchedAt: at })) });
  alarms.wake("webhooks");
  await alarms.settle();
  expect(received).toEqual(ids);
});
