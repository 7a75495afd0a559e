import type { Logger } from "pino";
import { startPodTerminal } from "../../cloud/compute/pods/start-pod-terminal";
import type { TerminalSession } from "../../cloud/compute/pods/terminal-session";
import { startWorkspaceTerminal } from "../../cloud/compute/workspaces/start-workspace-terminal";
import type { SessionView } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { authorize, type Caller } from "../../operation/authorize";
import { logFailure } from "../../operation/log-failure";
import { runCall } from "../../operation/pipeline";
import type { RateLimitStatus } from "../../operation/rate-limit";
import type { RequestMeta } from "../../operation/request-meta";
import { route } from "../../operation/route";
import { errorResult } from "../http/error-response";
import type { HttpResult } from "../http/http-result";
import { completeHeaders, identify, type PlatformApiParts } from "../http/platform-api";
import { createInputReader } from "../http/read-input";
import { createRouter } from "../http/route-rows";
import { foreignOrigin } from "../trpc/same-origin";
import { checkHandshake } from "./check-handshake";

export interface OpenTerminalParts extends Pick<PlatformApiParts, "pipeline" | "authenticate"> {
  /** The session of a Cookie header. */
  session: (cookieHeader: string | null) => Promise<SessionView | undefined>;
  publicUrl: string;
  log: Logger;
}

export interface OpenedTerminal {
  session: TerminalSession;
  /** Throws why the caller may not use the terminal any longer. */
  authorizeAgain: () => Promise<void>;
}

export type OpenTerminal = (
  request: Request,
  meta: RequestMeta,
) => Promise<OpenedTerminal | { refused: HttpResult & { body: string } }>;

const ROUTES = [
  route("GET", "/v1/pods/{id}/terminal", startPodTerminal),
  route("GET", "/v1/workspaces/{id}/terminal", startWorkspaceTerminal),
];

/**
 * Calls one of the operations through the pipeline, for the key or token of `Authorization`, or for the session of the dashboard.
 * Browsers send the session's cookie with handshakes from other sites too, and no other site may use it: the origin must
 * be that of svc.
 */
export function createOpenTerminal({ pipeline, log, ...parts }: OpenTerminalParts): OpenTerminal {
  const rows = ROUTES.map((one) => ({ ...one, read: createInputReader(one) }));
  const find = createRouter({ rows, takesHead: () => false });
  const publicOrigin = new URL(parts.publicUrl).origin;
  return async (request, meta) => {
    const { headers } = request;
    const usesCookie = !headers.has("authorization") && headers.has("cookie");
    const isForeign = usesCookie && headers.get("origin") !== publicOrigin;
    const found = find(request);
    const refusal = "refusal" in found ? found.refusal : isForeign ? foreignOrigin() : undefined;
    const operation = "refusal" in found ? startPodTerminal : found.row.operation;
    let limits: readonly RateLimitStatus[] = [];
    const caller = () => (usesCookie ? callerOf(headers, parts) : identify(request, meta, parts.authenticate));
    try {
      const session = await runCall<Caller, TerminalSession>(pipeline, {
        meta,
        authenticate: caller,
        onCounted: (counted) => {
          limits = counted;
        },
        target: refusal ?? operation,
        readInput: async () => {
          if ("refusal" in found) throw found.refusal;
          checkHandshake(request);
          return found.row.read(request, found.params);
        },
        respond: (opened) => opened as TerminalSession,
      });
      return { session, authorizeAgain: async () => authorize(operation.access, await caller()) };
    } catch (failure) {
      logFailure(log, failure, { request, meta });
      const refused = errorResult(failure, meta.requestId);
      completeHeaders(refused, { meta, limits });
      return { refused };
    }
  };
}

async function callerOf(headers: Headers, { session }: Pick<OpenTerminalParts, "session">): Promise<Caller> {
  const found = await session(headers.get("cookie"));
  if (!found) return { refusal: new ServiceError("unauthorized", "Your session has ended; log in again.") };
  const { actor, user, tenant } = found;
  return { actor, context: { session: { actor, user, tenant } } };
}
