import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { pino } from "pino";
import { expect, it } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import type { TaskHolder } from "../../identity/agent-tasks/agent-task";
import { AgentTaskStore } from "../../identity/agent-tasks/agent-task-store";
import { systemClock } from "../../kernel/clock";
import { RunningTasks } from "./running-tasks";

const { db, sql } = await openForFile(testDatabase());
const store = new AgentTaskStore({ db, clock: systemClock, sealingKey: randomBytes(32) });
const HOLDER: TaskHolder = { tenantId: "ten_1", holder: "prj_1 test" };
const RESULT: CallToolResult = { content: [{ type: "text", text: "done" }] };

/** The background calls of a process, whose store ends tasks as `end` does. */
function open(end: AgentTaskStore["end"] = (...given) => store.end(...given)) {
  const alarms = testAlarms({ sql, isManual: true });
  const replaced = new Proxy(store, {
    get(target, name) {
      if (name === "end") return end;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const counters = new MemoryCounters(systemClock);
  const tasks = new RunningTasks({ store: replaced, alarms, counters, log: pino({ level: "silent" }) });
  const look = async () => {
    alarms.wake("agent-tasks");
    await alarms.settle();
  };
  return { tasks, look };
}

async function begin(tasks: RunningTasks, call: (signal: AbortSignal) => Promise<CallToolResult>): Promise<string> {
  const running = tasks.begin(HOLDER.tenantId, call);
  if (!running) throw new Error("there is no room");
  return (await tasks.keep(running, { ...HOLDER, tool: "svc_pods_exec", ttlMs: 60_000 })).id;
}

it("stores a result again that could not be stored at once", async () => {
  let failures = 0;
  const { tasks, look } = open(async (...given) => {
    if (failures++ === 0) throw new Error("no connection");
    return store.end(...given);
  });
  const id = await begin(tasks, async () => RESULT);
  await expect.poll(() => failures).toBe(1);
  expect((await store.find(HOLDER, id))?.task.status).toBe("working");
  await look();
  expect(await store.find(HOLDER, id)).toMatchObject({ task: { status: "completed" }, outcome: { result: RESULT } });
  await tasks.stop();
});

it("keeps the result of a call that has ended before it stops", async () => {
  const gate = new EventEmitter();
  const { tasks } = open(async (...given) => {
    gate.emit("stores");
    await once(gate, "opened");
    return store.end(...given);
  });
  const stores = once(gate, "stores");
  const id = await begin(tasks, async () => RESULT);
  await stores;
  const stopped = tasks.stop();
  gate.emit("opened");
  await stopped;
  expect(await store.find(HOLDER, id)).toMatchObject({ task: { status: "completed" }, outcome: { result: RESULT } });
});

it("renews the leases of what runs, and aborts what has lost it", async () => {
  const { tasks, look } = open();
  const signals: AbortSignal[] = [];
  const waits = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<CallToolResult>((resolve) => signal.addEventListener("abort", () => resolve(RESULT)));
  };
  const [kept, lost] = [await begin(tasks, waits), await begin(tasks, waits)];
  await db.$executeRaw`UPDATE agent_tasks SET lease_until = now() + interval '10 seconds' WHERE id = ${kept}`;
  const leaseOf = async () => (await db.agentTask.findUniqueOrThrow({ where: { id: kept } })).leaseUntil.getTime();
  const before = await leaseOf();
  await db.$executeRaw`UPDATE agent_tasks SET lease_until = now() - interval '1 second' WHERE id = ${lost}`;
  await look();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(await leaseOf()).toBeGreaterThanOrEqual(before + 10_000);
  expect((await store.find(HOLDER, lost))?.task.status).toBe("failed");
  await tasks.stop();
});
