import { Duplex, PassThrough } from "node:stream";
import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { podChoice } from "../pod-requests/pod-fields";
import { connectionTo } from "./connection-to";
import { findPod } from "./find-pod";
import { podExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";
import { reachRunning } from "./reach-run";

const PORT = /^[1-9][0-9]{0,4}$/;

/**
 * Returns a connection to a port of a pod, which counts until it is closed. Throws `not_found`, `conflict` (reasons
 * `port_not_declared`, `not_running`), `rate_limited` (reason `too_many_connections`), and `unavailable` (reasons
 * `port_closed`, `ports_unsupported`, `node_unreachable`).
 */
export const connectPod = operation({
  id: "connectPod",
  summary: "Connect to a port of a pod",
  access: "pods:write",
  input: z.strictObject({
    ...podChoice,
    port: z.string().regex(PORT, "expected a port of the pod").transform(Number).describe("A port of the pod"),
  }),
  output: z.instanceof(Duplex),
  example: { input: { id: podExample.id, port: "8080" }, output: new PassThrough() },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns">, { id, port }) => {
    const pod = await findPod(ctx, id);
    if (!pod.ports.includes(port)) throw notDeclared(port, pod.ports);
    return connectionTo(ctx, { pod, reached: await reachRunning(ctx, pod), port });
  },
});

function notDeclared(port: number, ports: readonly number[]): ServiceError {
  const known = ports.length === 0 ? "it has none" : `its ports are ${ports.join(", ")}`;
  return new ServiceError("conflict", `port: the pod was created without the port ${port}; ${known}.`, {
    param: "port",
    details: { reason: "port_not_declared", ports: [...ports] },
  });
}
