import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { Exchange } from "./exchange";
import { TASKS_EXTENSION, TASKS_REVISION } from "./task-wire";

type Capabilities = { extensions?: Record<string, unknown> } | undefined;

/** Whether a request with an envelope says that its client knows the extension. */
export const declaresTasks = ({ mcpReq: { envelope } }: Pick<ServerContext, "mcpReq">): boolean =>
  hasTasks(envelope as Record<string, unknown> | undefined);

const hasTasks = (envelope: Record<string, unknown> | undefined): boolean =>
  (envelope?.[CLIENT_CAPABILITIES_META_KEY] as Capabilities)?.extensions?.[TASKS_EXTENSION] !== undefined;

/** Throws the protocol's error for a client that does not say that it knows the extension. */
export function requireTasks(context: Pick<ServerContext, "mcpReq">): void {
  if (!declaresTasks(context)) throw missing();
}

const missing = () =>
  new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });

/** Whether the core of the revision of a message has tasks. */
export const offersCoreTasks = ({ revision }: Pick<Exchange, "revision">): boolean => revision === TASKS_REVISION;

/**
 * The revision of a message without an envelope: what `initialize` agrees on, otherwise what the header names. Undefined:
 * the header is absent, which means the first revision.
 */
export function revisionOf({ headers }: Request, body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { protocolVersion?: unknown } };
  if (method !== "initialize") return headers.get("mcp-protocol-version") ?? undefined;
  const asked = String(params?.protocolVersion);
  return SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : SUPPORTED_PROTOCOL_VERSIONS[0];
}

/** The response to `subscriptions/listen` of a client that asks for changes of tasks and does not know the extension. */
export function missingToListen(body: unknown): Response | undefined {
  const { id, params } = (body ?? {}) as { id?: unknown; params?: Listen };
  if (params?.notifications?.taskIds === undefined || hasTasks(params._meta)) return undefined;
  const { code, message, data } = missing();
  return Response.json({ jsonrpc: "2.0", id: id ?? null, error: { code, message, data } }, { status: 400 });
}

interface Listen {
  _meta?: Record<string, unknown>;
  notifications?: { taskIds?: unknown };
}
