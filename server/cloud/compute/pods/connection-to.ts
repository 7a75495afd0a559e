import type { Duplex } from "node:stream";
import { RuntimeError } from "../../../engines/runtime/runtime";
import { ServiceError } from "../../../kernel/errors";
import type { StoredPod } from "../pod-records/stored-pod";
import type { PodsCtx } from "./pods-ctx";
import { notRunning, type ReachedRun } from "./reach-run";

interface ConnectionTo {
  pod: Pick<StoredPod, "id" | "tenantId">;
  reached: Pick<ReachedRun, "run" | "runtime">;
  port: number;
}

/** A program in the pod may be about to listen. */
const RETRY_SECONDS = 1;

/**
 * A connection to a port of what runs, which counts until it is closed. Throws `conflict` (reason `not_running`),
 * `rate_limited` (reason `too_many_connections`), and `unavailable` (reasons `port_closed`, `ports_unsupported`).
 */
export async function connectionTo(
  ctx: Pick<PodsCtx, "podRuns">,
  { pod, reached: { run, runtime }, port }: ConnectionTo,
): Promise<Duplex> {
  const release = ctx.podRuns.connect({ tenantId: pod.tenantId, podId: pod.id });
  try {
    const connection = await runtime.connect(run.id, port);
    connection.on("error", () => undefined);
    if (connection.destroyed) release();
    else connection.once("close", release);
    return connection;
  } catch (cause) {
    release();
    throw failureOf(cause, port);
  }
}

function failureOf(cause: unknown, port: number): unknown {
  if (!(cause instanceof RuntimeError)) return cause;
  if (cause.reason === "not_running") return notRunning();
  if (cause.reason === "not_supported")
    return new ServiceError("unavailable", "Ports of pods on this node cannot be reached.", {
      cause,
      details: { reason: "ports_unsupported" },
    });
  if (cause.reason !== "port_closed") return cause;
  return new ServiceError("unavailable", `Nothing in the pod accepts connections on port ${port} at present.`, {
    cause,
    retryAfterSeconds: RETRY_SECONDS,
    details: { reason: "port_closed" },
  });
}
