import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Surface } from "./mount-rows";

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1, 5];

export interface Metrics {
  registry: Registry;
  /** Counts and times what a surface answers. */
  measured(api: string, surface: Surface): Surface;
  /** A number that is read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void;
}

/** The process's metrics, by Prometheus' naming conventions. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "svc_http_requests_total",
    help: "Requests answered",
    labelNames: ["api", "method", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "svc_http_request_duration_seconds",
    help: "Time from the request's headers to the answer",
    labelNames: ["api"],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    registry,
    measured: (api, surface) => {
      const duration = durations.labels({ api });
      return {
        fetch: async (request, peer) => {
          const startedAt = performance.now();
          const response = await surface.fetch(request, peer);
          duration.observe((performance.now() - startedAt) / 1000);
          requests.inc({ api, method: request.method, status: response.status });
          return response;
        },
      };
    },
    gauge: (name, help, read) => {
      new Gauge({
        ...{ name, help, registers: [registry] },
        collect() {
          this.set(read());
        },
      });
    },
  };
}
