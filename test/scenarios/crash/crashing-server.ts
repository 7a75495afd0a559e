import { setTimeout as sleep } from "node:timers/promises";
import type { ResourceStep } from "../../../server/cloud/core/reconciler/steps";
import { readConfig } from "../../../server/config";
import { ServiceError } from "../../../server/kernel/errors";
import { type RunningServer, startServer } from "../../../server/start-server";
import type { Answer, AnyStep, Order } from "./orders";

const RESTARTED_WITHIN_MS = 30_000;

/** svc without its pages, in a process that kills itself at a step when it is told to: by its first argument, or later. */
let trap: { step: AnyStep; passes: number } | undefined =
  process.argv[2] === undefined ? undefined : { step: process.argv[2] as AnyStep, passes: 1 };

const atStep = (step: AnyStep) => {
  if (trap?.step === step && trap.passes-- <= 1) process.kill(process.pid, "SIGKILL");
};

/** Where everything stops and waits for the end of the process. */
let held: { step?: ResourceStep; count: number } = { count: 0 };

const atResourceStep = (step: ResourceStep): Promise<void> | undefined => {
  if (step !== held.step) return undefined;
  held.count++;
  return new Promise(() => undefined);
};

const running = await startServer(readConfig(), {
  atStep,
  atWebhookStep: atStep,
  atChatStep: atStep,
  atResourceStep,
  openPages: async () => ({
    listener: (_incoming, outgoing) => outgoing.writeHead(404).end(),
    close: async () => undefined,
  }),
});
process.on("SIGTERM", () => {
  running.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
process.on("message", (order: Order) => void obey(order).then((answer) => process.send?.(answer)));
process.send?.({ ready: true } satisfies Answer);

async function obey(order: Order): Promise<Answer> {
  if (order.kind === "trap") {
    trap = { step: order.step, passes: order.passes };
    return { id: order.id };
  }
  if (order.kind === "hold") {
    held = { step: order.step, count: 0 };
    return { id: order.id };
  }
  try {
    return { id: order.id, rows: await QUERIES[order.kind](running, order.query) };
  } catch (failure) {
    // An engine that has just been killed answers nothing for a while; the test asks again.
    await sleep(100);
    return { id: order.id, failure: String(failure) };
  }
}

/** The embedded engine restarts after a full disk and refuses queries meanwhile. */
async function queryClickHouse({ engines }: RunningServer, query: string): Promise<Record<string, unknown>[]> {
  for (const end = Date.now() + RESTARTED_WITHIN_MS; ; await sleep(100)) {
    try {
      return await (await engines.clickhouse.query({ query, format: "JSONEachRow" })).json();
    } catch (failure) {
      if (!(failure instanceof ServiceError && failure.code === "unavailable") || Date.now() > end) throw failure;
    }
  }
}

const QUERIES = {
  clickhouse: queryClickHouse,
  postgres: async ({ engines }: RunningServer, query: string) =>
    (await engines.sql.query(query)).rows.map(withoutBigInts),
  held: async () => [{ count: held.count }],
  wal: async ({ engines }: RunningServer) => [{ waiting: engines.wal.waitingBytes }],
};

const withoutBigInts = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]),
  );
