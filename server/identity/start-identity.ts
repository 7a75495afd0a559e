import type { Logger } from "pino";
import type { Engines } from "../engines/start-engines";
import type { Clock } from "../kernel/clock";
import { deriveKey } from "../kernel/secrets";
import type { StopStack } from "../kernel/stop-stack";
import type { Actor } from "../operation/actor";
import type { EventKind } from "../operation/event-kind";
import type { QuotaDefinition } from "../operation/quota";
import type { RequestMeta } from "../operation/request-meta";
import type { Hasher } from "./identity-ctx";
import { type IdentityConfig, identityParts } from "./identity-parts";
import type { NamedContext } from "./part";
import type { FindKeys } from "./request-counts/request-count";
import { authenticateSession } from "./sessions/authenticate-session";

interface StartIdentity {
  engines: Pick<Engines, "db" | "counters" | "secret" | "clickhouse">;
  clock: Clock;
  log: Logger;
  stops: StopStack;
  /** By default it is created here. */
  hasher?: Hasher | undefined;
  /** How products find their keys, for the history of requests. */
  findProductKeys: readonly FindKeys[];
  /** Every kind of event, of the products too. */
  eventKinds: readonly EventKind[];
  /** Every limit of a tenant, of the products too. */
  quotas: readonly QuotaDefinition[];
  /** The scopes that at least one operation requires. */
  scopesInUse: ReadonlySet<string>;
}

/** Starts the account system with its background work. */
export async function startIdentity(config: IdentityConfig, parts: StartIdentity) {
  const { db, counters, clickhouse, secret } = parts.engines;
  const started = await identityParts.start(
    { config, log: parts.log, hasher: parts.hasher, findProductKeys: parts.findProductKeys },
    {
      db,
      counters,
      clickhouse,
      clock: parts.clock,
      eventKinds: parts.eventKinds,
      quotas: parts.quotas,
      scopesInUse: parts.scopesInUse,
      publicUrl: config.publicUrl,
      currency: config.currency,
      isLoopback: config.isLoopback,
      addressKey: deriveKey(secret, "address"),
      jwtKey: deriveKey(secret, "jwt"),
      logInKey: deriveKey(secret, "log_in"),
      cursorKey: deriveKey(secret, "cursor"),
    },
    parts.stops,
  );
  const ctx = started.ctx satisfies NamedContext<typeof identityParts>;
  const { keys, tokens } = ctx;
  return {
    ...started,
    ctx,
    /** Returns the actor of a bearer token: a session token contains dots, a platform key does not. */
    authenticate: (bearer: string, meta: RequestMeta): Promise<Actor | undefined> =>
      bearer.includes(".") ? tokens.authenticate(bearer) : keys.authenticate(bearer, meta),
    session: (cookie: string | null) => authenticateSession(ctx, cookie),
  };
}
