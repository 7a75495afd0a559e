import http, { type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { StoredPod } from "../../compute/pod-records/stored-pod";
import { connectionTo } from "../../compute/pods/connection-to";
import { reachRunning } from "../../compute/pods/reach-run";
import type { InferenceParts } from "./inference-ctx";

const HEALTH_MS = 5000;

type ReachCtx = Pick<InferenceParts, "podRuns" | "encryptionKey">;

/** A port of a pod. */
export interface ReplicaPort {
  pod: StoredPod;
  port: number;
}

/** Connects to the engine of a replica. Throws as `connectPod` does. */
export const connectReplica = async (ctx: ReachCtx, { pod, port }: ReplicaPort): Promise<Duplex> =>
  connectionTo(ctx, { pod, reached: await reachRunning(ctx, pod), port });

export interface ReplicaRequest {
  method: "GET" | "POST";
  path: string;
  headers: http.OutgoingHttpHeaders;
  body?: string;
  signal: AbortSignal;
}

/** Resolves with the response, whose body is still to be read; the connection ends with it. */
export const requestOn = (connection: Duplex, { body, ...request }: ReplicaRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = http.request({ ...request, createConnection: () => connection });
    // A connection of a runtime is paused until it is used.
    sent.once("socket", () => connection.resume());
    sent.on("error", (failure) => {
      connection.destroy();
      reject(failure);
    });
    sent.once("response", (response) => {
      response.once("close", () => connection.destroy());
      resolve(response);
    });
    sent.end(body);
  });

/** Whether the engine of a replica says that it is ready. */
export async function isHealthy(ctx: ReachCtx, replica: ReplicaPort, path: string): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_MS);
  try {
    const connection = await connectReplica(ctx, replica);
    const headers = { host: `localhost:${replica.port}` };
    const response = await requestOn(connection, { method: "GET", path, headers, signal });
    response.on("error", () => undefined).destroy();
    return response.statusCode !== undefined && response.statusCode < 300;
  } catch {
    return false;
  }
}
