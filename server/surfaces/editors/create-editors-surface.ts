import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { connectWorkspace } from "../../cloud/compute/workspaces/connect-workspace";
import { openWorkspace } from "../../cloud/compute/workspaces/open-workspace";
import type { WorkspaceHosts } from "../../cloud/compute/workspaces/workspace-hosts";
import { EDITOR_PORT } from "../../cloud/compute/workspaces/workspace-program";
import type { Counters } from "../../engines/counters/counters";
import { sessionPairOf } from "../../identity/sessions/authenticate-session";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import type { Actor } from "../../operation/actor";
import { authorize, type Caller } from "../../operation/authorize";
import { parseInput } from "../../operation/parse-input";
import { type PipelineParts, runCall } from "../../operation/pipeline";
import type { RateLimitStatus } from "../../operation/rate-limit";
import { type RequestMeta, requestIdOf } from "../../operation/request-meta";
import { isSpeculative, TooEarly } from "../../operation/speculation";
import type { StreamClient } from "../http/create-server";
import { MethodNotAllowed } from "../http/error-response";
import { isVisit } from "../ports/is-visit";
import { passRequest } from "../ports/pass-request";
import { passUpgrade } from "../ports/pass-upgrade";
import { sendFailure } from "../ports/send-failure";
import { checkSite } from "./check-site";
import { createEditorGrants, type EditorGrants } from "./editor-grants";
import { editorHeaders } from "./editor-headers";

export interface EditorsParts {
  pipeline: PipelineParts<Caller>;
  /** The session of a cookie. */
  session: (cookie: string | null) => Promise<{ actor: Actor } | undefined>;
  /** undefined: workspaces have no hosts, and links lead to the editor of the dashboard. */
  workspaceHosts: WorkspaceHosts | undefined;
  /** The root secret of the installation. */
  secret: string;
  clock: Clock;
  counters: Pick<Counters, "count">;
  publicUrl: string;
  /** Aborted when the process begins to stop, which ends what was upgraded. */
  stopping: AbortSignal;
  log: Pick<Logger, "error" | "debug">;
}

type Parts = EditorsParts & { grants: EditorGrants };

/** The code-server of workspaces, each at a host of its own, for the sessions of their tenant alone. */
export interface EditorsSurface {
  takes(incoming: IncomingMessage): boolean;
  /** Resolves with the status when a response begins; never throws. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, client: StreamClient): Promise<number>;
}

/** A person opens a workspace; with `for`, on behalf of the visit that its host has begun. */
const LINK = /^\/v1\/workspaces\/([A-Za-z0-9_-]{1,64})\/editor(?:\?for=([A-Za-z0-9_-]{1,100}))?$/;
const BEGIN = "/_svc/begin";
const ENTRY = "/_svc/open?ticket=";
/** What code-server shows first. */
const START = "/?folder=/workspace";
/** Of a browser, or of code-server, which both send pings. */
const IDLE_MS = 5 * 60_000;
const AUTHORIZE_MS = 30_000;

export function createEditorsSurface(given: EditorsParts): EditorsSurface {
  const { workspaceHosts: hosts, log, publicUrl } = given;
  const parts = { ...given, grants: createEditorGrants({ ...given, isSecure: publicUrl.startsWith("https:") }) };
  return {
    takes: ({ url = "/", headers }) => hosts?.idOf(headers.host) !== undefined || LINK.test(url),
    serve: async (incoming, outgoing, { address, head }) => {
      const requestId = requestIdOf(incoming.headers["x-request-id"]?.toString());
      const meta = { requestId, address, userAgent: incoming.headers["user-agent"] ?? "" };
      const request: EditorRequest = { incoming, outgoing, head, meta, limits: [] };
      try {
        const id = hosts?.idOf(incoming.headers.host);
        if (id === undefined || isStep(incoming)) checkStep(incoming);
        if (id === undefined || !hosts) await sendLink(parts, request);
        else if (incoming.url === BEGIN) begin(parts, request, id);
        else if (incoming.url?.startsWith(ENTRY)) await enter(parts, request, id);
        else await pass(parts, request, { id, origin: hosts.originOf(id) });
      } catch (failure) {
        // code-server needs a few seconds to listen.
        if (isClosed(failure) && isVisit(incoming)) outgoing.setHeader("Refresh", "1");
        sendFailure(log, { outgoing, meta, limits: request.limits }, failure);
      }
      return outgoing.statusCode;
    },
  };
}

const isStep = ({ url }: IncomingMessage): boolean => url === BEGIN || url?.startsWith(ENTRY) === true;

/** Each step to the editor is recorded or can be taken once, so only the visit of a person takes it. */
function checkStep({ method = "", headers }: IncomingMessage): void {
  if (method !== "GET") throw new MethodNotAllowed(method, ["GET"]);
  if (isSpeculative((name) => headers[name]?.toString())) throw new TooEarly();
}

interface EditorRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  head: Buffer | undefined;
  meta: RequestMeta;
  limits: readonly RateLimitStatus[];
}

/** Calls an operation on a workspace for the session of a cookie. */
function call<T>(
  { pipeline, session }: EditorsParts,
  request: EditorRequest,
  { target, id, cookie }: { target: typeof openWorkspace | typeof connectWorkspace; id: string; cookie: string | null },
): Promise<T> {
  return runCall<Caller, T>(pipeline, {
    meta: request.meta,
    target,
    onCounted: (limits) => {
      request.limits = limits;
    },
    authenticate: async () => ({ actor: (await session(cookie))?.actor }),
    readInput: async () => ({ sent: { id }, input: parseInput(target.input, { id }) }),
    respond: (result) => result as T,
  });
}

/**
 * A person of svc follows the link to a workspace: its host begins a visit in their browser, and then they get a ticket
 * for it.
 */
async function sendLink(parts: Parts, request: EditorRequest): Promise<void> {
  const { incoming, outgoing } = request;
  const [, id = "", visit] = LINK.exec(incoming.url ?? "") ?? [];
  const cookie = isVisit(incoming) ? sessionPairOf(incoming.headers.cookie) : undefined;
  const { origin } = await call<{ origin: string | null }>(parts, request, {
    target: openWorkspace,
    id,
    cookie: cookie ?? null,
  });
  if (origin === null || cookie === undefined) return redirect(outgoing, `${parts.publicUrl}/cloud/workspaces/${id}`);
  if (visit === undefined) return redirect(outgoing, `${origin}${BEGIN}`);
  redirect(outgoing, `${origin}${ENTRY}${parts.grants.ticketOf({ id, visit }, cookie)}`);
}

function begin({ grants, publicUrl }: Parts, { outgoing }: EditorRequest, id: string): void {
  const { visit, setCookie } = grants.beginVisit();
  outgoing.setHeader("Set-Cookie", setCookie);
  redirect(outgoing, `${publicUrl}/v1/workspaces/${id}/editor?for=${visit}`);
}

async function enter({ grants }: Parts, { incoming, outgoing }: EditorRequest, id: string): Promise<void> {
  const ticket = incoming.url?.slice(ENTRY.length) ?? "";
  const cookie = await grants.redeem(id, ticket, incoming.headers.cookie);
  if (cookie === undefined) throw notOpened();
  outgoing.setHeader("Set-Cookie", cookie);
  redirect(outgoing, START);
}

async function pass(
  parts: Parts,
  request: EditorRequest,
  { id, origin }: { id: string; origin: string },
): Promise<void> {
  const { incoming, outgoing, head, meta } = request;
  const { grants, publicUrl, stopping } = parts;
  checkSite(incoming, origin);
  const cookie = grants.sessionOf(id, incoming.headers.cookie);
  if (cookie === undefined) throw notOpened();
  const connection = await call<Duplex>(parts, request, { target: connectWorkspace, id, cookie });
  const forwarding = {
    prefix: "",
    port: String(EDITOR_PORT),
    address: meta.address,
    publicUrl,
    requestId: meta.requestId,
  };
  const headers = editorHeaders(forwarding, grants);
  const exchange = { incoming, outgoing, connection, path: incoming.url ?? "/", headers, idleMs: IDLE_MS };
  if (!head) return passRequest(exchange);
  endWithSession(parts, connection, cookie);
  await passUpgrade({ ...exchange, head, stopping });
}

/** Ends a connection when the session of its cookie has ended or may no longer use workspaces. */
function endWithSession({ session }: EditorsParts, connection: Duplex, cookie: string): void {
  const check = async () => authorize(connectWorkspace.access, { actor: (await session(cookie))?.actor });
  const timer = setInterval(() => void check().catch(() => connection.destroy()), AUTHORIZE_MS);
  connection.once("close", () => clearInterval(timer));
}

function redirect(outgoing: ServerResponse, location: string): void {
  outgoing.writeHead(303, {
    Location: location,
    "Content-Length": 0,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
  });
  outgoing.end();
}

const isClosed = (failure: unknown): boolean =>
  failure instanceof ServiceError && failure.details?.reason === "port_closed";

const notOpened = (): ServiceError =>
  new ServiceError("unauthorized", "Open the workspace from its page in the dashboard; the link to it has expired.");
