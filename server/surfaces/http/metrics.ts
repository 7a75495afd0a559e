import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Surface } from "./mount-rows";

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1, 5];

export interface Metrics {
  registry: Registry;
  /** Counts the responses of a surface and measures their time. */
  measured(api: string, surface: Surface): Surface;
  /** What `measured` uses, for surfaces that are no `Surface`. */
  observer(api: string): (method: string, status: number, seconds: number) => void;
  /** A gauge whose value is read on each scrape. */
  gauge(name: string, help: string, read: () => number): void;
  /** One counter per table, read on each scrape. */
  counters(name: string, help: string, byTable: ReadonlyMap<string, number>): void;
  /** Like `gauge`, for a number that only increases. */
  counter(name: string, help: string, read: () => number): void;
}

/** The metrics of one process, as structured data. */
export type MetricsSnapshot = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Called once with what reads the metrics of this process; the result reads those of all processes. */
export type ReadAllMetrics = (own: () => Promise<MetricsSnapshot>) => () => Promise<MetricsSnapshot[]>;

/** A registry of the metrics of several processes, whose series have different labels. */
export const joinMetrics = (snapshots: readonly MetricsSnapshot[]): Pick<Registry, "metrics" | "contentType"> =>
  // Each series is in one snapshot only, so its sum is its value; other aggregators would leave some metrics out.
  AggregatorRegistry.aggregate(snapshots.map((metrics) => metrics.map((each) => ({ ...each, aggregator: "sum" }))));

/** The metrics of the process, named by the conventions of Prometheus. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const observer = requestObserver(registry);
  return {
    registry,
    observer,
    measured: (api, surface) => measured(surface, observer(api)),
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    counters: (name, help, byTable) => {
      new Counter({
        name,
        help,
        labelNames: ["table"],
        registers: [registry],
        collect() {
          this.reset();
          for (const [table, count] of byTable) this.inc({ table }, count);
        },
      });
    },
    counter: (name, help, read) => {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
  };
}

type Observe = ReturnType<Metrics["observer"]>;

/** Counts requests and measures their time, by API. */
function requestObserver(registry: Registry): Metrics["observer"] {
  const requests = new Counter({
    name: "svc_http_requests_total",
    help: "Requests handled",
    labelNames: ["api", "method", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "svc_http_request_duration_seconds",
    help: "Time from the request's headers to the response",
    labelNames: ["api"],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return (api) => {
    const duration = durations.labels({ api });
    return (method, status, seconds) => {
      duration.observe(seconds);
      requests.inc({ api, method, status });
    };
  };
}

const measured = (surface: Surface, observe: Observe): Surface => ({
  fetch: async (request, peer) => {
    const startedAt = performance.now();
    const response = await surface.fetch(request, peer);
    observe(request.method, response.status, (performance.now() - startedAt) / 1000);
    return response;
  },
});
