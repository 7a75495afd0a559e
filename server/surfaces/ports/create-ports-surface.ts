import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { connectPod } from "../../cloud/compute/pods/connect-pod";
import { type PortTarget, portTargetOf } from "../../cloud/compute/pods/port-path";
import type { Actor } from "../../operation/actor";
import type { Caller } from "../../operation/authorize";
import { parseInput } from "../../operation/parse-input";
import { type PipelineParts, runCall } from "../../operation/pipeline";
import type { RateLimitStatus } from "../../operation/rate-limit";
import { type RequestMeta, requestIdOf } from "../../operation/request-meta";
import type { StreamClient } from "../http/create-server";
import { identify } from "../http/platform-api";
import { isVisit } from "./is-visit";
import { passRequest } from "./pass-request";
import { passUpgrade } from "./pass-upgrade";
import { podHeaders } from "./port-headers";
import { sendFailure } from "./send-failure";

export interface PortsSurfaceParts {
  pipeline: PipelineParts<Caller>;
  /** The actor of a bearer token; may throw why a valid one is rejected. */
  authenticate: (token: string, meta: RequestMeta) => Promise<Actor | undefined>;
  /** The session of a cookie. */
  session: (cookie: string | null) => Promise<{ actor: Actor } | undefined>;
  publicUrl: string;
  /** Aborted when the process begins to stop, which ends what was upgraded. */
  stopping: AbortSignal;
  /** How long a connection may have no traffic. */
  idleMs?: number;
  log: Pick<Logger, "error" | "debug">;
}

/** The servers in pods: requests below the path of a port are passed to it. */
export interface PortsSurface {
  takes(incoming: IncomingMessage): boolean;
  /** Resolves with the status when a response begins; never throws. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, client: StreamClient): Promise<number>;
}

/** Of a client, or a server in a pod. */
const IDLE_MS = 5 * 60_000;

export function createPortsSurface(parts: PortsSurfaceParts): PortsSurface {
  return {
    takes: ({ url = "/" }) => portTargetOf(url) !== undefined,
    serve: async (incoming, outgoing, { address, head }) => {
      const requestId = requestIdOf(incoming.headers["x-request-id"]?.toString());
      const meta = { requestId, address, userAgent: incoming.headers["user-agent"] ?? "" };
      let limits: readonly RateLimitStatus[] = [];
      try {
        const target = portTargetOf(incoming.url ?? "/");
        if (!target) throw new Error("The request is not for a port of a pod.");
        const connection = await connect(parts, { incoming, meta, target }, (counted) => {
          limits = counted;
        });
        const { idleMs = IDLE_MS, publicUrl, stopping } = parts;
        const headers = podHeaders({ ...target, address, publicUrl, requestId });
        const exchange = { incoming, outgoing, connection, path: target.path, headers, idleMs };
        await (head ? passUpgrade({ ...exchange, head, stopping }) : passRequest(exchange));
      } catch (failure) {
        sendFailure(parts.log, { outgoing, meta, limits }, failure);
      }
      return outgoing.statusCode;
    },
  };
}

interface Asked {
  incoming: IncomingMessage;
  meta: RequestMeta;
  target: PortTarget;
}

/** Finds the pod and connects to its port, as a call of the caller. */
function connect(
  parts: PortsSurfaceParts,
  { incoming, meta, target }: Asked,
  onCounted: (limits: readonly RateLimitStatus[]) => void,
): Promise<Duplex> {
  const sent = { id: decoded(target.id), port: target.port };
  return runCall<Caller, Duplex>(parts.pipeline, {
    meta,
    target: connectPod,
    onCounted,
    authenticate: () => callerOf(parts, incoming, meta),
    readInput: async () => ({ sent, input: parseInput(connectPod.input, sent) }),
    respond: (connection) => connection as Duplex,
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function callerOf(
  { authenticate, session }: PortsSurfaceParts,
  incoming: IncomingMessage,
  meta: RequestMeta,
): Promise<Caller> {
  const { authorization = "", cookie } = incoming.headers;
  if (isVisit(incoming)) return { actor: (await session(cookie ?? null))?.actor };
  return identify({ headers: new Headers({ authorization }) }, meta, authenticate);
}
