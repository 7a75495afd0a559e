import type { Registry } from "prom-client";

/** One engine's answer to "can you work?". */
export interface EngineProbe {
  name: string;
  ping: () => Promise<void>;
  /** Without it nothing can be served. */
  required: boolean;
}

const PROBE_MS = 2000;
const JSON_HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/** The process lives. */
export const healthz = (): Response => new Response(JSON.stringify({ status: "ok" }), { headers: JSON_HEADERS });

/** Each engine's state; 503 while one that is required does not answer within 2 s, or while the process is stopping. */
export async function readyz(probes: readonly EngineProbe[], stopping: boolean): Promise<Response> {
  const engines = await Promise.all(
    probes.map(async (probe) => ({ name: probe.name, required: probe.required, ...(await ask(probe)) })),
  );
  const ready = !stopping && engines.every(({ ok, required }) => ok || !required);
  const status = stopping ? "stopping" : ready ? "ready" : "unavailable";
  return new Response(JSON.stringify({ status, engines }), { status: ready ? 200 : 503, headers: JSON_HEADERS });
}

async function ask({ ping }: EngineProbe): Promise<{ ok: boolean; error?: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), PROBE_MS);
  });
  try {
    await Promise.race([ping(), late]);
    return { ok: true };
  } catch {
    return { ok: false, error: "away" };
  } finally {
    clearTimeout(timer);
  }
}

/** Prometheus text format. */
export async function metricsPage(registry: Registry): Promise<Response> {
  return new Response(await registry.metrics(), {
    headers: { "content-type": registry.contentType, "cache-control": "no-store" },
  });
}
