import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readConfig } from "../../server/config";
import { newId } from "../../server/kernel/ids";
import { type RunningServer, startServer } from "../../server/start-server";
import { makeTenant, removePods } from "./noisy-tenants";
import { timePlatformSteps } from "./platform-steps";
import { titleOf } from "./titles";

const CREATIVES_PER_CAMPAIGN = 20;

/** The peer of every HTTP figure: the least that node:http can do with a JSON answer. */
export function serveBare(): void {
  const body = JSON.stringify({
    offers: [{ id: "00000000-0000-7000-8000-000000000000", title: "Offer", content: "Text" }],
  });
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

/** svc without its pages, on engines of its own, with `creatives` creatives in the demo tenant. */
export async function serveSvc(creatives: number): Promise<void> {
  const { signal } = endsWithBench();
  const running = await startServer(readConfig(), {
    openPages: async () => ({ listener: (_, r) => void r.end(), close: async () => undefined }),
    signal,
  });
  const stop = () => void running.stop().then(() => process.exit(0));
  signal.addEventListener("abort", stop);
  if (creatives > 0) await fillForBench(running, creatives);
  process.send?.({ port: running.config.port, demo: running.demo });
  process.on("message", (order: Order | "stop") => {
    if (order === "stop") stop();
    else void rowsOf(running, order).then((rows) => process.send?.({ asked: order.asked, rows }));
  });
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 2 ** 20 });
  }, 250).unref();
}

/** Aborted when the bench is gone. Ctrl-C reaches this process too, and is left to the bench. */
export function endsWithBench(): AbortController {
  const gone = new AbortController();
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => gone.abort(new Error("The bench has ended.")));
  return gone;
}

/** A question to an engine of the served svc; the answer bears its number. */
export interface Order {
  asked: number;
  engine: "catalog" | "clickhouse" | "no-pods" | "platform" | "postgres" | "tenant" | "wal";
  query: string;
}

async function rowsOf(running: RunningServer, { engine, query }: Order): Promise<unknown[]> {
  const { app, engines } = running;
  if (engine === "platform") return timePlatformSteps(running, query);
  if (engine === "tenant") return [{ ...(await makeTenant(running, Number(query))) }];
  if (engine === "no-pods") return [{ left: await removePods(running) }];
  if (engine === "catalog") return [{ size: app.catalogSize() }];
  if (engine === "wal") return [{ waiting: engines.wal.waitingBytes }];
  if (engine === "postgres") return (await engines.sql.query(query)).rows.map(withoutBigints);
  return (await engines.clickhouse.query({ query, format: "JSONEachRow" })).json();
}

const withoutBigints = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]),
  );

export async function fillForBench({ engines, demo, app }: RunningServer, creatives: number): Promise<void> {
  if (!demo) throw new Error("The bench needs the demo tenant.");
  const now = new Date();
  const shared = { createdAt: now, updatedAt: now };
  const advertiserId = newId("adv", now.getTime());
  const tenantId = demo.api.tenant_id;
  await engines.db.advertiser.create({ data: { id: advertiserId, tenantId, name: "Bench", ...shared } });
  const campaigns = Array.from({ length: Math.ceil(creatives / CREATIVES_PER_CAMPAIGN) }, (_, i) => ({
    id: newId("cmp", now.getTime()),
    tenantId,
    advertiserId,
    mode: "live" as const,
    name: `Bench ${i}`,
    model: "cpc" as const,
    bidMicros: BigInt(100_000 + (i % 50) * 10_000),
    ...shared,
  }));
  await engines.db.campaign.createMany({ data: campaigns });
  const rows = Array.from({ length: creatives }, (_, i) => ({
    id: newId("crv", now.getTime()),
    campaignId: campaigns[i % campaigns.length]?.id ?? "",
    title: titleOf(i),
    content: `A ${titleOf(i * 7)} that goes well with a ${titleOf(i * 13)}, number ${i}`,
    cta: "View offer",
    landingUrl: `https://shop.example/p/${i}`,
    ...shared,
  }));
  for (let at = 0; at < rows.length; at += 1000)
    await engines.db.creative.createMany({ data: rows.slice(at, at + 1000) });
  const before = Date.now();
  while (app.catalogSize() < creatives && Date.now() - before < 60_000)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
