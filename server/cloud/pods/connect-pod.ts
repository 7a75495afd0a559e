import { Duplex, PassThrough } from "node:stream";
import { z } from "zod";
import { RuntimeError } from "../../engines/runtime/runtime";
import { ServiceError } from "../../kernel/errors";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { findPod } from "./find-pod";
import { podExample } from "./pod.example";
import { podChoice } from "./pod-fields";
import { notRunning, reachRunning } from "./reach-run";

const PORT = /^[1-9][0-9]{0,4}$/;
/** A program in the pod may be about to listen. */
const RETRY_SECONDS = 1;

/**
 * Returns a connection to a port of a pod, which counts until it is closed. Throws `not_found`, `conflict` (reasons
 * `port_not_declared`, `not_running`), `rate_limited` (reason `too_many_connections`), and `unavailable` (reasons
 * `port_closed`, `ports_unsupported`, `machine_unreachable`).
 */
export const connectPod = operation({
  id: "connectPod",
  summary: "Connect to a port of a pod",
  access: "pods:write",
  cost: "cheap",
  input: z.strictObject({
    ...podChoice,
    port: z.string().regex(PORT, "expected a port of the pod").transform(Number).describe("A port of the pod"),
  }),
  output: z.instanceof(Duplex),
  example: { input: { id: podExample.id, port: "8080" }, output: new PassThrough() },
  run: async (ctx: CloudCtx, { id, port }) => {
    const pod = await findPod(ctx, id);
    if (!pod.ports.includes(port)) throw notDeclared(port, pod.ports);
    const { run, runtime } = await reachRunning(ctx, pod);
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
  },
});

function notDeclared(port: number, ports: readonly number[]): ServiceError {
  const known = ports.length === 0 ? "it has none" : `its ports are ${ports.join(", ")}`;
  return new ServiceError("conflict", `port: the pod was created without the port ${port}; ${known}.`, {
    ...{ param: "port", details: { reason: "port_not_declared", ports: [...ports] } },
  });
}

function failureOf(cause: unknown, port: number): unknown {
  if (!(cause instanceof RuntimeError)) return cause;
  if (cause.reason === "not_running") return notRunning();
  if (cause.reason === "not_supported")
    return new ServiceError("unavailable", "Ports of pods on this machine cannot be reached.", {
      ...{ cause, details: { reason: "ports_unsupported" } },
    });
  if (cause.reason !== "port_closed") return cause;
  return new ServiceError("unavailable", `Nothing in the pod accepts connections on port ${port} at present.`, {
    ...{ cause, retryAfterSeconds: RETRY_SECONDS, details: { reason: "port_closed" } },
  });
}
