import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Demo } from "../../server/ads/demo/open-demo";
import { freePort } from "./processes";

/** svc as `npm start` runs it, with engines and a data directory of its own. */
export interface StartedForRest {
  pid: number;
  url: string;
  demo: Demo;
  /** A session of the superuser of its PostgreSQL. */
  sql: Client;
  stop(): Promise<void>;
}

const READY_MS = 120_000;
const POLL_MS = 250;

export async function startForRest(dataDir: string, env: Readonly<Record<string, string>>): Promise<StartedForRest> {
  const port = await freePort();
  const child = spawn(process.execPath, argumentsOfStart(), {
    env: {
      ...process.env,
      NODE_ENV: "production",
      LOG_LEVEL: "error",
      ...env,
      PORT: String(port),
      SVC_DATA_DIR: dataDir,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(child, url);
    const demo = JSON.parse(readFileSync(path.join(dataDir, "demo.json"), "utf8")) as Demo;
    const sql = await logIn(dataDir);
    const stop = async () => {
      await sql.end();
      await end(child);
    };
    return { pid: child.pid ?? 0, url, demo, sql, stop };
  } catch (failure) {
    await end(child);
    throw failure;
  }
}

/** PostgreSQL loads it when it starts, so svc has to be started again. */
export async function installStatementCounts(sql: Client): Promise<void> {
  await sql.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  await sql.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
}

/** The arguments of node in the script `start` of package.json. */
function argumentsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
  return scripts.start.split(" ").slice(1);
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_MS; waitedMs += POLL_MS) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("svc ended before it was ready.");
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await sleep(POLL_MS);
  }
  throw new Error(`svc was not ready within ${READY_MS / 1000} s.`);
}

/** PostgreSQL writes its port in the fourth line of postmaster.pid. */
async function logIn(dataDir: string): Promise<Client> {
  const port = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(path.join(dataDir, "postgres.password"), "utf8").trim();
  const sql = new Client({ host: "127.0.0.1", port: Number(port), user: "postgres", password, database: "svc" });
  await sql.connect();
  return sql;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
