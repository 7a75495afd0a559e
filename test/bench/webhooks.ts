import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { startDeliveries } from "../../server/cloud/events/webhooks/start-deliveries";
import { noWebhookStep } from "../../server/cloud/events/webhooks/steps";
import { newSecret, sealSecret } from "../../server/cloud/events/webhooks/webhook-secret";
import { ATTEMPT_MS, WebhookSender } from "../../server/cloud/events/webhooks/webhook-sender";
import { createMail } from "../../server/engines/mail/mail";
import { connectPostgres, type PostgresConnection } from "../../server/engines/postgres/connect-postgres";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import { startPostgres } from "../../server/engines/postgres/start-postgres";
import { startAlarms } from "../../server/engines/start-alarms";
import { systemClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";

const ENDPOINTS = 10;
const EVENTS_PER_SECOND = 200;
const SECONDS = 10;
/** How long the last deliveries may take; those to the dead endpoint are not waited for. */
const SETTLE_MS = 15_000;
const rootDir = path.resolve(import.meta.dirname, "../..");

/**
 * The time from the start of an event's COMMIT, synced to disk, until an endpoint has the request, at 200 events a second
 * with one dead endpoint among ten: it accepts connections and never responds. Load, svc and endpoints share a process.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), "svc-webhooks-"));
  const postgres = await startPostgres({ rootDir, dataDir: path.join(dir, "postgres") });
  // Writers of events are other processes as a rule, with connections of their own.
  const connection = connectPostgres(postgres.url);
  const writers = connectPostgres(postgres.url, { connectTimeoutMs: 60_000 });
  try {
    await deployMigrations(postgres.url, rootDir);
    print(`${EVENTS_PER_SECOND} events/s for ${SECONDS} s, ${ENDPOINTS} endpoints, one of them dead; Postgres syncs`);
    print(
      `each commit; everything on ${cpus().length} cores, load and endpoints in svc's process, Node ${process.version}`,
    );
    print("");
    print("each event goes to | deliveries/s |  p50 ms |  p99 ms |  max ms | CPU ms each | missing");
    print(await measured({ connection, writers }, "one endpoint"));
    print(await measured({ connection, writers }, "all ten"));
  } finally {
    await connection.close();
    await writers.close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Connections {
  connection: PostgresConnection;
  writers: PostgresConnection;
}

type Fan = "one endpoint" | "all ten";

async function measured({ connection, writers }: Connections, fan: Fan): Promise<string> {
  const arrivals = new Map<string, number[]>();
  const endpoints = await startEndpoints(arrivals);
  const deliveries = startSvc(connection, endpoints.port);
  try {
    const tenantId = await createWebhooks(connection, fan, deliveries.encryptionKey);
    const before = process.cpuUsage();
    const commits = await recordEvents(writers, tenantId);
    const expected = [...commits.keys()].map((_, i) =>
      fan === "all ten" ? ENDPOINTS - 1 : Number(i % ENDPOINTS !== 0),
    );
    const total = expected.reduce((a, b) => a + b);
    const arrived = () => [...arrivals.values()].reduce((sum, times) => sum + times.length, 0);
    for (const end = performance.now() + SETTLE_MS; arrived() < total && performance.now() < end; ) await pause(50);
    const times = [...commits].flatMap(([id, at]) => (arrivals.get(id) ?? []).map((arrival) => arrival - at));
    const { user, system } = process.cpuUsage(before);
    return row(fan, { times, total, cpuMs: (user + system) / 1000 / times.length });
  } finally {
    endpoints.close();
    await deliveries.stop();
    await connection.sql.query("DELETE FROM webhooks");
  }
}

function row(fan: Fan, { times, total, cpuMs }: { times: number[]; total: number; cpuMs: number }): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1).padStart(7);
  const rate = (times.length / SECONDS).toFixed(0).padStart(12);
  return `${fan.padEnd(18)} | ${rate} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${cpuMs.toFixed(2).padStart(11)} | ${total - times.length}`;
}

/** Endpoint 0 is dead. */
async function startEndpoints(arrivals: Map<string, number[]>) {
  const server = http.createServer((request, response) => {
    if (request.headers.host === hostOf(0)) return;
    const id = String(request.headers["webhook-id"]);
    arrivals.set(id, [...(arrivals.get(id) ?? []), performance.now()]);
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

const hostOf = (endpoint: number): string => `endpoint-${endpoint}.example`;

function startSvc({ db, sql }: PostgresConnection, port: number) {
  const [clock, log, encryptionKey] = [systemClock, pino({ level: "warn" }), randomBytes(32)];
  const alarms = startAlarms({ sql, clock, log });
  const mail = createMail({ db, clock, from: "svc@svc.example", smtpUrl: undefined, isLoopback: false });
  const network = { resolve: async () => ["8.8.8.8"], connect: () => net.connect(port, "127.0.0.1") };
  const policy = { allowsLoopback: false, ownHosts: [] };
  const shared = { db, sql, clock, log, atStep: noWebhookStep, mail, publicUrl: "https://svc.example", encryptionKey };
  const sender = new WebhookSender({ ...shared, network, policy, random: Math.random, attemptMs: ATTEMPT_MS });
  const deliveries = startDeliveries({ ...shared, sender, alarms });
  const stop = async () => {
    await deliveries.stop();
    await alarms.stop();
    await sender.close();
  };
  return { encryptionKey, stop };
}

async function createWebhooks({ db }: PostgresConnection, fan: Fan, key: Buffer): Promise<string> {
  const now = new Date();
  const tenantId = newId("ten", now.getTime());
  for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
    const id = newId("whk", now.getTime());
    await db.webhook.create({
      data: {
        id,
        tenantId,
        projectId: "prj_bench",
        mode: "live",
        name: hostOf(endpoint),
        createdAt: now,
        updatedAt: now,
        url: `https://${hostOf(endpoint)}/`,
        sealedSecret: sealSecret(key, id, newSecret()),
        events: fan === "all ten" ? ["*"] : [`bench.event_${endpoint}`],
      },
    });
  }
  return tenantId;
}

/** Commits events at the rate; returns when each COMMIT was sent. */
async function recordEvents({ sql }: PostgresConnection, tenantId: string): Promise<Map<string, number>> {
  const commits = new Map<string, number>();
  const running: Promise<void>[] = [];
  const start = performance.now();
  for (let i = 0; i < EVENTS_PER_SECOND * SECONDS; i++) {
    const id = newId("evt", Date.now());
    commits.set(id, 0);
    running.push(recordOne({ sql }, { id, tenantId, type: `bench.event_${i % ENDPOINTS}` }, commits));
    const waitMs = start + ((i + 1) * 1000) / EVENTS_PER_SECOND - performance.now();
    if (waitMs > 1) await pause(waitMs);
  }
  await Promise.all(running);
  return commits;
}

async function recordOne(
  { sql }: Pick<PostgresConnection, "sql">,
  { id, tenantId, type }: { id: string; tenantId: string; type: string },
  commits: Map<string, number>,
): Promise<void> {
  const client = await sql.connect();
  try {
    await client.query("BEGIN");
    await client.query(
      "INSERT INTO events (id, tenant_id, mode, type, data, created_at) VALUES ($1, $2, 'live', $3, $4, now())",
      [id, tenantId, type, JSON.stringify({ order_id: "ord_1", total: 12.5, pad: "x".repeat(500) })],
    );
    commits.set(id, performance.now());
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
