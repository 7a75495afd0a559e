import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../../server/ads/events/steps";
import { readConfig } from "../../../server/config";
import { type RunningServer, startServer } from "../../../server/start-server";
import type { Answer, Order } from "./orders";

/** svc without its pages, in a process that kills itself at a step when it is told to: by its first argument, or later. */
let trap: { step: Step; passes: number } | undefined =
  process.argv[2] === undefined ? undefined : { step: process.argv[2] as Step, passes: 1 };

const running = await startServer(readConfig(), {
  atStep: (step) => {
    if (trap?.step === step && trap.passes-- <= 1) process.kill(process.pid, "SIGKILL");
  },
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
  try {
    return { id: order.id, rows: await QUERIES[order.kind](running, order.query) };
  } catch (failure) {
    // An engine that has just been killed answers nothing for a while; the test asks again.
    await sleep(100);
    return { id: order.id, failure: String(failure) };
  }
}

const QUERIES = {
  clickhouse: async ({ engines }: RunningServer, query: string) =>
    (await engines.clickhouse.query({ query, format: "JSONEachRow" })).json<Record<string, unknown>>(),
  postgres: async ({ engines }: RunningServer, query: string) =>
    (await engines.sql.query(query)).rows.map(withoutBigInts),
  wal: async ({ engines }: RunningServer) => [
    { waiting: [engines.wal.own, ...engines.wal.leftovers].reduce((sum, wal) => sum + wal.waitingBytes, 0) },
  ],
};

const withoutBigInts = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]),
  );
