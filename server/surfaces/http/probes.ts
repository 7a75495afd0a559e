import type { Registry } from "prom-client";
import { ServiceError } from "../../kernel/errors";
import { withTimeout } from "../../kernel/with-timeout";

/** The state of one engine. */
export interface EngineProbe {
  name: string;
  ping: () => Promise<void>;
  /** Nothing can be served without it. */
  required: boolean;
}

/** What runs pods on a node that reports at present. */
export interface ReportedRuntime {
  /** null: nothing can run there, for the reason. */
  kind: string | null;
  isolation: string | null;
  limits_enforced: boolean;
  /** `simulated`: in records only, in test mode; `nvidia`: the node also has GPUs that pods of live keys get. */
  gpu: "simulated" | "nvidia";
  /** Why nothing, or no pod of a live key, can run there. */
  reason: string | null;
}

/** The paths for operators and orchestrators, the only ones of a process without the role `web`. */
export const PROBE_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

const PROBE_MS = 2000;
const JSON_HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/** Liveness: the process is running. */
export const healthz = (): Response => new Response(JSON.stringify({ status: "ok" }), { headers: JSON_HEADERS });

/**
 * Returns each engine's state, with the reason if one is known; 503 while a required engine does not respond within 2 s
 * or the process is stopping. `degraded` with 200 if only other engines are unavailable, since requests are still
 * served. `runtimes` are those of all nodes, which do not matter for the status; none while they cannot be read.
 * Without `isDetailed` only the status is returned.
 */
export async function readyz(
  probes: readonly EngineProbe[],
  { stopping, runtimes, isDetailed }: Readiness,
): Promise<Response> {
  const [engines, reported] = await Promise.all([
    Promise.all(probes.map(async (probe) => ({ name: probe.name, required: probe.required, ...(await ask(probe)) }))),
    isDetailed ? withTimeout(PROBE_MS, runtimes(), () => new Error("no answer")).catch(() => []) : [],
  ]);
  const ready = !stopping && engines.every(({ ok, required }) => ok || !required);
  const working = engines.every(({ ok }) => ok) ? "ready" : "degraded";
  const status = stopping ? "stopping" : ready ? working : "unavailable";
  return new Response(JSON.stringify({ status, ...(isDetailed && { engines, runtimes: reported }) }), {
    status: ready ? 200 : 503,
    headers: JSON_HEADERS,
  });
}

interface Readiness {
  stopping: boolean;
  runtimes: () => Promise<ReportedRuntime[]>;
  /** The names of engines and errors concern the operator alone. */
  isDetailed: boolean;
}

async function ask({ ping }: EngineProbe): Promise<{ ok: boolean; error?: string }> {
  try {
    await withTimeout(PROBE_MS, ping(), () => new Error("no answer"));
    return { ok: true };
  } catch (failure) {
    return { ok: false, error: failure instanceof ServiceError ? failure.message : "away" };
  }
}

/** Prometheus text format. */
export async function metricsPage(registry: Pick<Registry, "metrics" | "contentType">): Promise<Response> {
  return new Response(await registry.metrics(), {
    headers: { "content-type": registry.contentType, "cache-control": "no-store" },
  });
}

export const metricsRefusal = (): Response =>
  new Response(
    JSON.stringify({ error: { code: "unauthorized", message: "Send the METRICS_TOKEN of svc as a bearer token." } }),
    { status: 401, headers: { ...JSON_HEADERS, "www-authenticate": "Bearer" } },
  );
