import autocannon from "autocannon";

export interface Load {
  url: string;
  seconds: number;
  connections: number;
  /** Paced: this many requests a second over all connections; otherwise as many as go through. */
  perSecond?: number;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** Called for each request; answers its path and body. */
  next?: () => { path: string; body?: string };
  body?: string;
}

export interface Outcome {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx and 3xx, and broken connections. */
  failures: number;
  /** CPU that the load generator itself took, as a share of one core. */
  generatorShare: number;
}

/** Sends requests with autocannon from this process. */
export async function load({
  url,
  seconds,
  connections,
  perSecond,
  method = "POST",
  headers = {},
  next,
  body,
}: Load): Promise<Outcome> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const result = await autocannon({
    ...{ url, connections, duration: seconds, method, headers },
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    ...(body === undefined ? {} : { body }),
    ...(next ? { requests: [{ setupRequest: (request: object) => ({ ...request, ...next() }) }] } : {}),
  });
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result["4xx"] + result["5xx"] + result.errors + result.timeouts,
    generatorShare: (user + system) / 1000 / (performance.now() - startedAt),
  };
}
