import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import os from "node:os";
import path from "node:path";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import { startPostgres } from "../../server/engines/postgres/start-postgres";
import { withSvc } from "./platform";
import { rowsOf } from "./processes";
import { BATCH, type Figure, measure, perSecond, sideBySide } from "./queue-figures";
import { graphileSends, graphileWork } from "./queue-peers";

const BODY = JSON.stringify({ pad: "x".repeat(1014) });
const SINGLE_CONNECTIONS = 16;
const BATCH_CONNECTIONS = 8;
/** More than a row can use up. */
const STORED_BYTES = 2 ** 40;

/** Enough groups that those in flight leave some to other receivers. */
const BATCHES = Array.from({ length: 200 }, (_, i) =>
  JSON.stringify({
    messages: Array.from({ length: BATCH }, (_, j) => ({ body: JSON.parse(BODY), group_id: `g${i * BATCH + j}` })),
  }),
);
/** Messages sent before a row that receives, for each of its milliseconds. */
const FILL_PER_MS = 60;

type Print = (line: string) => void;
type Post = (path: string, body?: string) => Promise<string>;

/**
 * Queues over HTTP, by one svc process beside its engines and this generator, beside graphile-worker in this process.
 * SVC_BENCH_QUEUE_MS: the length of a row (default 5,000).
 */
export async function run(print: Print): Promise<void> {
  const rowMs = Number(process.env.SVC_BENCH_QUEUE_MS ?? 5000);
  print(
    `queues over HTTP: bodies of ${BODY.length} bytes, ${rowMs / 1000} s a row, ${os.cpus().length} cores, Node ${process.version}\n`,
  );
  print("| what | by | messages/s | ratio |");
  print("|---|---|---|---|");
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-queue-http-"));
  const postgres = await startPostgres({ rootDir: process.cwd(), dataDir: dir });
  await deployMigrations(postgres.url, process.cwd());
  const work = { rowMs, body: BODY };
  try {
    await withSvc(async (svc, demo) => {
      await rowsOf(
        svc,
        "postgres",
        `INSERT INTO quotas (tenant_id, resource, "limit", set_at)
         VALUES ('${demo.api.tenant_id}', 'stored_bytes', ${STORED_BYTES}, now()) RETURNING resource`,
      );
      const post = poster(svc.url, demo.api.live_key);
      await post("/v1/queues", JSON.stringify({ name: "bench", visibility_timeout_s: 600 }));
      const single = `{"body":${BODY}}`;
      let sent = 0;
      const batch = () => BATCHES[sent++ % BATCHES.length];
      const sends = await sideBySide({
        ours: () => measure(SINGLE_CONNECTIONS, rowMs, () => post("/v1/queues/bench/send", single).then(() => 1)),
      });
      row(print, `send, single, ${SINGLE_CONNECTIONS} connections`, sends);
      const batches = await sideBySide({
        ours: () => measure(BATCH_CONNECTIONS, rowMs, () => post("/v1/queues/bench/send", batch()).then(() => BATCH)),
        "graphile addJobs": () => graphileSends(postgres.url, { ...work, senders: 4 }),
      });
      row(print, `send, batches of ${BATCH}, ${BATCH_CONNECTIONS} connections`, batches);
      const worked = await sideBySide({
        ours: async () => {
          for (let left = rowMs * FILL_PER_MS; left > 0; left -= BATCH) await post("/v1/queues/bench/send", batch());
          return measure(BATCH_CONNECTIONS, rowMs, () => receiveAndAcknowledge(post));
        },
        graphile: () => graphileWork(postgres.url, work),
      });
      row(print, `receive + acknowledge, batches of ${BATCH}`, worked);
    });
  } finally {
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function receiveAndAcknowledge(post: Post): Promise<number> {
  const answer = await post(`/v1/queues/bench/receive?max_messages=${BATCH}`);
  // Read without a parse of the bodies, so that the generator takes less of the shared processors.
  const receipts = [...answer.matchAll(/"receipt":"([^"]+)"/g)].map(([, receipt]) => receipt);
  if (receipts.length === 0) throw new Error("The queue is empty; make the row shorter.");
  await post("/v1/queues/bench/acknowledge", JSON.stringify({ receipts }));
  return receipts.length;
}

/** Sends a POST with a body, and a GET without one; throws on anything but 2xx. */
function poster(url: string, key: string): Post {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (target, body) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const asked = request(
        new URL(target, url),
        { method: body === undefined ? "GET" : "POST", agent, headers: { ...headers, ...length } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            if ((answer.statusCode ?? 500) < 300) resolve(text);
            else reject(new Error(`${answer.statusCode} ${text}`));
          });
        },
      );
      asked.on("error", reject);
      asked.end(body);
    });
}

function row(print: Print, what: string, { ours, ...peers }: Record<string, Figure | undefined>): void {
  if (!ours) return;
  print(`| ${what} | svc over HTTP | ${perSecond(ours)} | |`);
  for (const [name, peer] of Object.entries(peers)) {
    if (!peer) continue;
    print(`| | ${name} | ${perSecond(peer)} | ${(ours.count / ours.ms / (peer.count / peer.ms)).toFixed(2)} |`);
  }
}
