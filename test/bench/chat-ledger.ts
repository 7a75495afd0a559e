import { randomBytes } from "node:crypto";
import { cpus } from "node:os";
import type { Pool } from "pg";
import { pino } from "pino";
import type { ChatOutcome, ChatStart } from "../../server/cloud/ai/ledger/chat-ledger";
import { createChatLedger } from "../../server/cloud/ai/ledger/create-chat-ledger";
import type { PrismaClient } from "../../server/engines/postgres/generated/client";
import { systemClock } from "../../server/kernel/clock";
import { onDurablePostgres } from "./durable-postgres";

const RATES = [100, 1000] as const;
const RUN_MS = 5000;
const WARM_UP_MS = 1000;
const TOKENS = 1e15;

/** What a request waits for before it is sent upstream: `begin`, beside the plainest statements on the same Postgres. */
export const run = (print: (line: string) => void): Promise<void> => onDurablePostgres((to) => measureAll(print, to));

async function measureAll(print: (line: string) => void, { sql, db }: { sql: Pool; db: PrismaClient }): Promise<void> {
  print(`chat ledger: one Node ${process.version} process and a durable PostgreSQL, ${cpus().length} cores,`);
  print(`${RUN_MS / 1000} s a row, each request finished as soon as it has begun`);
  print("");
  print("| call | requests/s | p50 ms | p95 ms | ratio of p50 to SELECT 1 |");
  print("|---|---|---|---|---|");
  await sql.query("CREATE TABLE bench_rows (id BIGSERIAL PRIMARY KEY, text TEXT)");
  await createBudgets(db);
  const log = pino({ level: "silent" });
  const ledger = createChatLedger({ sql, clock: systemClock, log, encryptionKey: randomBytes(32) });
  const begin = (projectId: string) => async () => {
    const entry = await ledger.begin(startIn(projectId));
    return () => ledger.finish(entry, OUTCOME);
  };
  const steps: [string, Step][] = [
    ["peer: SELECT 1", () => sql.query({ name: "one", text: "SELECT 1" }).then(() => undefined)],
    ["peer: durable INSERT", () => sql.query(INSERT).then(() => undefined)],
    ["begin, no budget", begin("prj_none")],
    ["begin, one budget that all share", begin("prj_one")],
    ["begin, budgets of key and project", begin("prj_two")],
  ];
  for (const rate of RATES) {
    let peer: number | undefined;
    for (const [name, step] of steps) {
      await measure(step, rate, WARM_UP_MS);
      const { p50, p95 } = await measure(step, rate, RUN_MS);
      peer ??= p50;
      print(`| ${name} | ${rate} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${(p50 / peer).toFixed(1)} |`);
    }
  }
  await ledger.stop();
}

const INSERT = { name: "row", text: "INSERT INTO bench_rows (text) VALUES ('a request')" };

async function createBudgets(db: PrismaClient): Promise<void> {
  const now = new Date();
  const shared = { tenantId: "ten_1", mode: "live", name: "b", tokens: BigInt(TOKENS), window: "month" } as const;
  const budgets = [
    { id: "bdg_1", projectId: "prj_one", keyId: null },
    { id: "bdg_2", projectId: "prj_two", keyId: null },
    { id: "bdg_3", projectId: "prj_two", keyId: "key_1" },
  ];
  await db.chatBudget.createMany({
    data: budgets.map((budget) => ({ ...shared, ...budget, action: "block" as const, createdAt: now, updatedAt: now })),
  });
}

const startIn = (projectId: string): ChatStart => ({
  tenantId: "ten_1",
  projectId,
  mode: "live",
  keyId: "key_1",
  requestId: "req_1",
  endpoint: "chat",
  model: "m",
  price: { inputNanos: 150, outputNanos: 600 },
  promptTokens: 400,
  completionTokensMax: 200,
  isStream: false,
});

const OUTCOME: ChatOutcome = {
  status: "succeeded",
  httpStatus: 200,
  upstream: "u",
  tries: 1,
  isCached: false,
  isSimulated: false,
  usage: { promptTokens: 400, completionTokens: 100, isEstimated: false },
  firstByteMs: 300,
  totalMs: 900,
  errorCode: undefined,
};

/** Resolves when the part that is measured has ended; what it returns follows unmeasured. */
type Step = () => Promise<(() => Promise<unknown>) | undefined>;

/** Starts a step at a steady rate, whether or not the one before has ended. */
async function measure(step: Step, perSecond: number, forMs: number): Promise<{ p50: number; p95: number }> {
  const latencies: number[] = [];
  const running: Promise<unknown>[] = [];
  const start = performance.now();
  for (let i = 0; i < (forMs / 1000) * perSecond; i++) {
    const waitMs = start + (i * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const begun = performance.now();
    const one = async () => {
      const after = await step();
      latencies.push(performance.now() - begun);
      await after?.();
    };
    running.push(one());
  }
  await Promise.all(running);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
