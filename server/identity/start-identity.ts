import type { Logger } from "pino";
import type { Engines } from "../engines/start-engines";
import { deriveKey } from "../kernel/secrets";
import type { StopStack } from "../kernel/stop-stack";
import type { Actor } from "../operation/actor";
import type { EventKind } from "../operation/event-kind";
import { IdempotencyStore } from "../operation/idempotency/idempotency-store";
import type { RequestMeta } from "../operation/request-meta";
import { createKeyAuthentication } from "./api-keys/authenticate-api-key";
import type { AccountCtx, KeyCtx } from "./identity-ctx";
import { IDENTITY_CRONTAB, identityTasks } from "./identity-tasks";
import type { OutboxCtx } from "./outbox/outbox-ctx";
import { assertQuota } from "./quotas/assert-quota";
import { findApiKeys } from "./request-counts/find-api-keys";
import { createUsageTurns } from "./request-counts/get-request-counts";
import type { FindKeys } from "./request-counts/request-count";
import type { RequestCountCtx } from "./request-counts/request-count-ctx";
import { startRequestCounter } from "./request-counts/start-request-counter";
import { createTokenAuthentication } from "./session-tokens/authenticate-session-token";
import type { AccountPageCtx } from "./sessions/account-page-ctx";
import { authenticateSession } from "./sessions/authenticate-session";
import type { TenantCache } from "./tenants/tenant-cache";
import { createTenantCache } from "./tenants/tenant-cache";
import { startToolCallLog } from "./tool-calls/start-tool-call-log";
import type { ToolCallCtx } from "./tool-calls/tool-call-ctx";

interface IdentityParts {
  engines: Pick<Engines, "db" | "counters" | "secret" | "clickhouse">;
  account: AccountCtx;
  /** How products find their keys, for the history of requests. */
  findKeys: readonly FindKeys[];
  eventKinds: readonly EventKind[];
  log: Logger;
  scopesInUse: ReadonlySet<string>;
  atStep?: ConstructorParameters<typeof IdempotencyStore>[0]["atStep"];
  stops: StopStack;
}

/** What the operations of the account system use, as far as it is the same for every call. */
interface IdentityCtx
  extends AccountCtx,
    Omit<KeyCtx & RequestCountCtx & ToolCallCtx, "actor" | "request">,
    Omit<OutboxCtx & AccountPageCtx, "actor" | "request" | "session"> {
  tenants: Pick<TenantCache, "find">;
  /** The scopes that at least one operation requires. */
  scopesInUse: ReadonlySet<string>;
  /** Every kind of event, from the account system and the products. */
  eventKinds: readonly EventKind[];
}

/** Starts the account system, and returns what it contributes to the process. */
export async function startIdentity(config: Pick<IdentityCtx, "currency" | "isLoopback">, parts: IdentityParts) {
  const { engines, account, scopesInUse, eventKinds, atStep, log, stops } = parts;
  const { db, counters, secret, clickhouse } = engines;
  const { clock } = account;
  stops.push("sign-up mode", () => account.signUpMode.close());
  const tenants = await createTenantCache({ db, clock, counters });
  stops.push("tenant cache", () => tenants.close());
  const tokens = await createTokenAuthentication(account);
  stops.push("session tokens", () => tokens.close());
  const keys = await createKeyAuthentication({ db, clock, counters });
  stops.push("API keys", () => keys.close());
  const requests = startRequestCounter({ clickhouse, clock, log });
  stops.push("request counts", () => requests.stop());
  const toolCalls = startToolCallLog({ clickhouse, log });
  stops.push("calls of tools", () => toolCalls.stop());
  const sealingKey = deriveKey(secret, "idempotency");
  const { currency, isLoopback } = config;
  const ctx: IdentityCtx = {
    ...account,
    tenants,
    currency,
    isLoopback,
    scopesInUse,
    clickhouse,
    eventKinds,
    findKeys: [findApiKeys, ...parts.findKeys],
    usageTurns: createUsageTurns(),
    cursorKey: deriveKey(secret, "cursor"),
  };
  return {
    ctx,
    /** Returns the actor of a bearer token: a session token contains dots, a platform key does not. */
    authenticate: (bearer: string, meta: RequestMeta): Promise<Actor | undefined> =>
      (bearer.includes(".") ? tokens : keys).authenticate(bearer, meta),
    session: (cookie: string | null) => authenticateSession(account, cookie),
    limitsOf: tenants.limitsOf,
    requestCounter: requests.counter,
    toolCalls: toolCalls.calls,
    assertQuota,
    answers: new IdempotencyStore({ db, clock, counters, sealingKey, ...(atStep ? { atStep } : {}) }),
    tasks: { ...account.mail.tasks, ...identityTasks(account) },
    crontab: IDENTITY_CRONTAB,
  };
}
