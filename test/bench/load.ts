import { Agent, request } from "node:http";
import { importPeer } from "./peer-package";

export interface Load {
  url: string;
  seconds: number;
  connections: number;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** Called for each request; returns its path, and its body and headers where it has some of its own. */
  next?: () => { path: string; body?: string; headers?: Record<string, string> };
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

interface Result {
  requests: { average: number };
  latency: { p50: number; p99: number };
  "4xx": number;
  "5xx": number;
  errors: number;
  timeouts: number;
}

/** Sends as many requests as go through, with autocannon from this process. */
export async function load({
  url,
  seconds,
  connections,
  method = "POST",
  headers = {},
  next,
  body,
}: Load): Promise<Outcome> {
  const autocannon = await importPeer<(options: object) => Promise<Result>>("autocannon");
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers,
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

export interface PacedLoad extends Pick<Load, "url" | "seconds" | "connections" | "headers"> {
  perSecond: number;
  next: () => { path: string; body: string };
}

/**
 * Posts at even distances, whether or not earlier answers are there, and measures each from the moment it was due, so
 * that a server that stalls is not asked less (G. Tene, "How NOT to Measure Latency"). autocannon's own rate lets each
 * connection send its share of a second at once, which measures bursts.
 */
export async function pacedLoad({
  url,
  seconds,
  connections,
  perSecond,
  headers = {},
  next,
}: PacedLoad): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = process.cpuUsage();
  const took: number[] = [];
  let failures = 0;
  const ask = (dueAt: number): Promise<void> =>
    new Promise((resolve) => {
      const { path, body } = next();
      const length = { "content-length": Buffer.byteLength(body) };
      const asked = request(
        new URL(path, url),
        { method: "POST", agent, headers: { ...headers, ...length } },
        (answer) => {
          answer.resume().on("end", () => {
            took.push(performance.now() - dueAt);
            if ((answer.statusCode ?? 500) >= 400) failures++;
            resolve();
          });
        },
      );
      asked.on("error", () => {
        failures++;
        resolve();
      });
      asked.end(body);
    });
  const startedAt = performance.now();
  const open: Promise<void>[] = [];
  while (open.length < seconds * perSecond) {
    const due = Math.floor(((performance.now() - startedAt) * perSecond) / 1000);
    while (open.length <= due && open.length < seconds * perSecond)
      open.push(ask(startedAt + (open.length * 1000) / perSecond));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(open);
  agent.destroy();
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - startedAt;
  took.sort((a, b) => a - b);
  const quantile = (q: number): number => Number((took[Math.floor(took.length * q)] ?? Number.NaN).toFixed(1));
  return {
    perSecond: (took.length * 1000) / wallMs,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    failures,
    generatorShare: (user + system) / 1000 / wallMs,
  };
}
