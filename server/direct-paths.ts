import type { App } from "./app";
import type { Config } from "./config";
import type { Engines } from "./engines/start-engines";
import { cloudRows } from "./http/cloud-rows";
import { conversionRows } from "./http/conversion-rows";
import type { DirectPath } from "./http/create-server";
import { createMetrics } from "./http/metrics";
import type { Surface } from "./http/mount-rows";
import { offersRows } from "./http/offers-rows";
import { cloudOpenApi, offersOpenApi } from "./http/openapi";
import { withDocument } from "./http/openapi-document";
import { type EngineProbe, healthz, metricsPage, readyz } from "./http/probes";
import { factsOf, requestIdOf } from "./http/request-facts";
import { referencePaths } from "./reference-paths";
import { widgetPaths } from "./widget-paths";

/** What is answered without Next, and the two APIs once more for the way through Next. */
export interface Direct {
  paths: DirectPath[];
  offers: Surface;
  cloud: Surface;
}

/** The list of everything that this process answers itself. */
export function directPaths(config: Config, parts: { app: App; engines: Engines; isStopping: () => boolean }): Direct {
  const { app, engines, isStopping } = parts;
  const metrics = createMetrics();
  metrics.gauge("svc_wal_waiting_bytes", "Bytes of facts that wait for ClickHouse", () => engines.wal.own.waitingBytes);
  metrics.gauge("svc_catalog_items", "Creatives and products that can be served", () => app.catalogSize());
  const offers = withDocument(app.offers, {
    path: "/api/v1/openapi.json",
    document: offersOpenApi(config.publicUrl, offersRows, conversionRows),
    hasPreflight: true,
  });
  const cloud = withDocument(app.cloud, {
    path: "/v1/openapi.json",
    document: cloudOpenApi(config.publicUrl, cloudRows),
  });
  const measured = { offers: metrics.measured("offers", offers), cloud: metrics.measured("cloud", cloud) };
  const probes = probesOf(engines);
  const trpc: DirectPath["answer"] = (request, { address }) => app.trpc.handle(request, factsOf(request, { address }));
  // These two name their requests themselves, and looking at the headers of their answers again costs much.
  const apis: DirectPath[] = [
    { path: "/api/v1/", answer: measured.offers.fetch },
    { path: "/v1/", answer: measured.cloud.fetch },
  ];
  const others: DirectPath[] = [
    { path: "/api/trpc/", answer: trpc },
    ...widgetPaths(config),
    ...referencePaths(config),
    { path: "/healthz", answer: healthz },
    { path: "/readyz", answer: () => readyz(probes, isStopping()) },
    { path: "/metrics", answer: () => metricsPage(metrics.registry) },
  ];
  return { paths: [...apis, ...others.map(withRequestId)], ...measured };
}

/** The last net: every other answer of the direct paths names its request. */
const withRequestId = ({ path: at, answer }: DirectPath): DirectPath => ({
  path: at,
  answer: async (request, peer) => {
    const response = await answer(request, peer);
    if (!response.headers.has("x-request-id")) {
      response.headers.set("x-request-id", requestIdOf(request.headers.get("x-request-id")));
    }
    return response;
  },
});

/** After a disk failure nothing can be recorded until a restart. */
async function checkWal({ failure }: Engines["wal"]["own"]): Promise<void> {
  if (failure !== undefined) throw new Error("the write-ahead file failed", { cause: failure });
}

const probesOf = ({ sql, clickhouse, counters, wal }: Engines): EngineProbe[] => [
  { name: "postgres", required: true, ping: async () => void (await sql.query("SELECT 1")) },
  // Offers go on while ClickHouse is away: facts wait in the write-ahead file.
  { name: "clickhouse", required: false, ping: async () => void (await clickhouse.query({ query: "SELECT 1" })) },
  { name: "counters", required: true, ping: () => counters.ping() },
  { name: "write-ahead file", required: true, ping: () => checkWal(wal.own) },
];
