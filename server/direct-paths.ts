import { FACTS_SHED_FROM } from "./ads/events/fact-pressure";
import { OUTCOMES, type Outcome } from "./ads/vectors/nearest-items";
import type { Vectors } from "./ads/vectors/start-vectors";
import type { App } from "./app";
import { reportingNodes } from "./cloud/compute/placement/pod-nodes.sql";
import type { Config } from "./config";
import { checkSpaceLeft } from "./engines/data-dir";
import type { Engines } from "./engines/start-engines";
import { systemClock } from "./kernel/clock";
import { ServiceError } from "./kernel/errors";
import { requestIdOf, requestMetaOf } from "./operation/request-meta";
import type { EdgeSurface } from "./surfaces/edge/create-edge-surface";
import type { EditorsSurface } from "./surfaces/editors/create-editors-surface";
import type { DirectPath, RestSurface, StreamSurface } from "./surfaces/http/create-server";
import { isForwarded } from "./surfaces/http/forwarding-headers";
import { createMetrics, joinMetrics, type Metrics, type ReadAllMetrics } from "./surfaces/http/metrics";
import type { Surface } from "./surfaces/http/mount-rows";
import { cloudOpenApi, offersOpenApi } from "./surfaces/http/openapi";
import { withDocument } from "./surfaces/http/openapi-document";
import { isOperator } from "./surfaces/http/operator-access";
import {
  type EngineProbe,
  healthz,
  metricsPage,
  metricsRefusal,
  type ReportedRuntime,
  readyz,
} from "./surfaces/http/probes";
import { offersGroups, orderGroups, platformGroups } from "./surfaces/http/routes";
import { MANIFEST_PATHS, MANIFEST_WELL_KNOWN, toolManifest } from "./surfaces/mcp/manifest";
import { demoPicturePaths } from "./surfaces/pages/demo-pictures";
import { referencePaths } from "./surfaces/pages/reference-paths";
import { securityTxtPaths } from "./surfaces/pages/security-txt";
import { widgetPaths } from "./surfaces/pages/widget-paths";
import type { PortsSurface } from "./surfaces/ports/create-ports-surface";
import type { S3Surface } from "./surfaces/s3/create-s3-surface";
import type { TerminalSurface } from "./surfaces/terminal/create-terminal-surface";

/** The paths that are served without Next, and the two APIs for requests that Next forwards. */
export interface Direct {
  paths: DirectPath[];
  streams: StreamSurface[];
  /** The buckets at the root. */
  rest: RestSurface;
  offers: Surface;
  cloud: Surface;
}

interface DirectParts {
  app: App;
  engines: Engines;
  isStopping: () => boolean;
  /** By default `/metrics` has the metrics of this process alone. */
  readAllMetrics?: ReadAllMetrics;
}

/** Lists every path that this process serves without Next. */
export function directPaths(config: Config, parts: DirectParts): Direct {
  const { app, engines } = parts;
  const metrics = createMetrics();
  if (config.member) metrics.registry.setDefaultLabels({ process: String(config.member.slot) });
  const readAll = parts.readAllMetrics?.(() => metrics.registry.getMetricsAsJSON());
  addFactMetrics(metrics, parts);
  metrics.gauge("svc_catalog_items", "Creatives and products that can be served", () => app.catalogSize());
  metrics.gauge("svc_catalog_bytes", "Memory of the index of creatives and products", () => app.catalog.bytes);
  metrics.gauge(
    "svc_catalog_items_left_out",
    "Creatives and products left out of the index for lack of memory",
    () => app.catalog.leftOut,
  );
  metrics.counter("svc_impression_ids_ignored_total", "Reported impression ids that cannot be offer ids", () =>
    app.ignoredImpressionIds(),
  );
  const { scrubbedBlobs } = app;
  metrics.counter("svc_blobs_verified_total", "Stored blobs that scrubbing has found whole", () => scrubbedBlobs.ok);
  metrics.counter("svc_blobs_lost_total", "Damaged or missing blobs found by scrubbing", () => scrubbedBlobs.lost);
  if (app.vectors) addVectorMetrics(metrics, app.vectors);
  const offers = withDocument(app.offers, {
    path: "/api/v1/openapi.json",
    document: () => offersOpenApi(config.publicUrl, offersGroups, orderGroups),
    hasPreflight: true,
  });
  const manifest = toolManifest(config.publicUrl);
  const documents = [
    { path: "/v1/openapi.json", document: () => cloudOpenApi(config.publicUrl, platformGroups) },
    ...MANIFEST_PATHS.map((path) => ({ path, document: () => manifest })),
  ];
  const cloud = documents.reduce((surface, document) => withDocument(surface, document), app.platform);
  const measured = { offers: metrics.measured("offers", offers), cloud: metrics.measured("cloud", cloud) };
  const probes = [...probesOf(engines, config.dataDir), ...vectorProbes(app.vectors), functionProbe(app)];
  const allMetrics = async () => (readAll ? joinMetrics(await readAll()) : metrics.registry);
  const trpc: DirectPath["answer"] = (request, { address }) =>
    app.trpc.handle(request, {
      ...requestMetaOf(request, { address }),
      isForwarded: isForwarded(request.headers.keys()),
    });
  // The two APIs set the request id themselves; checking their response headers again would be slow.
  const apis: DirectPath[] = [
    { path: "/api/v1/", answer: measured.offers.fetch },
    { path: "/v1/", answer: measured.cloud.fetch },
    { path: MANIFEST_WELL_KNOWN, answer: measured.cloud.fetch },
  ];
  const others: DirectPath[] = [
    { path: "/api/trpc/", answer: trpc },
    ...widgetPaths(config),
    ...referencePaths(config),
    ...demoPicturePaths(config),
    ...securityTxtPaths(config, systemClock),
    ...probePaths(config, parts, { probes, metrics: allMetrics }),
  ];
  const paths = [...apis, ...others.map(withRequestId)];
  const s3 = measuredStream(app.s3, "s3", metrics);
  return { paths, streams: streamsOf(app, { metrics, s3 }), rest: { ...app.s3.rest, serve: s3.serve }, ...measured };
}

function addFactMetrics(metrics: Metrics, { app, engines }: Pick<DirectParts, "app" | "engines">): void {
  metrics.gauge(
    "svc_wal_waiting_bytes",
    "Bytes of facts in the write-ahead file that are not yet in ClickHouse",
    () => engines.wal.waitingBytes,
  );
  metrics.gauge("svc_wal_waiting_bytes_max", "Maximum of svc_wal_waiting_bytes", () => engines.wal.waitingBytesMax);
  addDiskMetrics(metrics, engines);
  const { shed, refused, dropped } = app.lostFacts;
  metrics.counters("svc_facts_shed_total", "Facts dropped because the write-ahead file is nearly full", shed);
  metrics.counters(
    "svc_facts_refused_total",
    "Facts rejected by ClickHouse and stored in the dead-letter file",
    refused,
  );
  metrics.counters(
    "svc_dead_letters_dropped_total",
    "Rejected facts dropped because the dead-letter file is full",
    dropped,
  );
}

function addDiskMetrics(metrics: Metrics, { space }: Engines): void {
  metrics.gauge(
    "svc_disk_free_bytes",
    "Free bytes of the disk of the data directory, without what pods' disks will still take",
    () => space.freeBytes,
  );
  metrics.gauge(
    "svc_disk_reserve_bytes",
    "Below so many free bytes tenants' writes are refused",
    () => space.reserveBytes,
  );
}

interface Probed {
  probes: readonly EngineProbe[];
  metrics: () => Promise<Parameters<typeof metricsPage>[0]>;
}

const probePaths = (
  config: Config,
  { engines, isStopping }: DirectParts,
  { probes, metrics }: Probed,
): DirectPath[] => [
  { path: "/healthz", answer: healthz },
  {
    path: "/readyz",
    answer: (request, peer) => {
      const runtimes = () => runtimesOf(engines);
      return readyz(probes, { stopping: isStopping(), runtimes, isDetailed: isOperator(config, request, peer) });
    },
  },
  {
    path: "/metrics",
    answer: async (request, peer) =>
      isOperator(config, request, peer) ? metricsPage(await metrics()) : metricsRefusal(),
  },
];

/** The first that takes a request serves it: a host of an edge function or of a workspace has no path of svc. */
const streamsOf = (
  { edge, editors, ports, terminals }: App,
  { metrics, s3 }: { metrics: Metrics; s3: StreamSurface },
): StreamSurface[] => [
  { ...measuredStream(edge, "edge", metrics), upgrades: true },
  { ...measuredStream(editors, "editors", metrics), upgrades: true },
  { ...measuredStream(ports, "ports", metrics), upgrades: true },
  { ...measuredStream(terminals, "terminals", metrics), upgrades: true },
  // Last, since it takes requests by their signature, which can be for a program of a tenant.
  s3,
];

function measuredStream(
  surface: EdgeSurface | EditorsSurface | S3Surface | PortsSurface | TerminalSurface,
  name: string,
  metrics: Metrics,
): StreamSurface {
  const observe = metrics.observer(name);
  return {
    takes: surface.takes,
    serve: (incoming, outgoing, client) => {
      const startedAt = performance.now();
      void surface.serve(incoming, outgoing, client).then((status) => {
        observe(incoming.method ?? "", status, (performance.now() - startedAt) / 1000);
      });
    },
  };
}

/** Offers are found by words while the embeddings server fails. */
const functionProbe = ({ functionsMissing }: Pick<App, "functionsMissing">): EngineProbe => ({
  name: "workerd",
  required: false,
  ping: async () => {
    const reason = await functionsMissing();
    if (reason !== undefined) throw new ServiceError("unavailable", reason);
  },
});

const vectorProbes = (vectors: Vectors | undefined): EngineProbe[] =>
  vectors ? [{ name: "embeddings", required: false, ping: () => vectors.ping() }] : [];

function addVectorMetrics(metrics: Metrics, vectors: Vectors): void {
  metrics.gauge("svc_item_vectors", "Creatives and products with a vector in this process", () => vectors.size);
  metrics.gauge("svc_item_vectors_bytes", "Memory of the vectors", () => vectors.bytes);
  metrics.counter("svc_item_vectors_made_total", "Vectors of items made by this process", () => vectors.made);
  metrics.counter(
    "svc_item_vectors_refused_total",
    "Texts that the embeddings server did not accept",
    () => vectors.refused,
  );
  const { nearest } = vectors;
  if (!nearest) return;
  for (const [outcome, help] of Object.entries(OUTCOMES)) {
    metrics.counter(`svc_query_vectors_${outcome}_total`, help, () => nearest.outcomes[outcome as Outcome]);
  }
}

/** Adds the request id to every response of the other paths that lacks it. */
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

const runtimesOf = async ({ sql }: Engines): Promise<ReportedRuntime[]> =>
  (await reportingNodes(sql)).map(({ kind, isolation, limitsEnforced, reason, gpus }) => ({
    kind,
    isolation,
    limits_enforced: limitsEnforced,
    reason,
    gpu: gpus && gpus.gpus.length > 0 ? ("nvidia" as const) : ("simulated" as const),
  }));

const probesOf = ({ sql, clickhouse, counters, wal, space }: Engines, dataDir: string): EngineProbe[] => [
  { name: "postgres", required: true, ping: async () => void (await sql.query("SELECT 1")) },
  // Offers are served while ClickHouse is unavailable: facts wait in the write-ahead file.
  { name: "clickhouse", required: false, ping: async () => void (await clickhouse.query({ query: "SELECT 1" })) },
  // Limits fail open while the counters are unavailable, and restarting svc would not help.
  { name: "counters", required: false, ping: () => counters.ping() },
  { name: "write-ahead file", required: true, ping: () => wal.checkWritable() },
  { name: "write-ahead room", required: false, ping: () => wal.checkRoom(FACTS_SHED_FROM) },
  { name: "disk", required: true, ping: () => checkSpaceLeft(dataDir) },
  // Everything but tenants' writes goes on.
  { name: "disk reserve", required: false, ping: () => space.checkReserve() },
];
