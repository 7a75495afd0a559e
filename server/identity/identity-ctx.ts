import type { ClickHouseClient } from "@clickhouse/client";
import type { Counters } from "../engines/counters/counters";
import type { Mail } from "../engines/mail/mail";
import type { PrismaClient } from "../engines/postgres/generated/client";
import type { Clock } from "../kernel/clock";
import type { Turns } from "../kernel/turns";
import type { Actor, PersonActor } from "../operation/actor";
import type { QuotaDefinition } from "../operation/quota";
import type { RequestMeta } from "../operation/request-meta";
import type { EventKind } from "./events/event-kind";
import type { FindKeys } from "./request-counts/request-count";
import type { SvcLucia } from "./sessions/create-lucia";
import type { SignUpModeReader } from "./sign-up/sign-up-mode";
import type { TenantCache } from "./tenants/tenant-cache";
import type { Hasher } from "./users/hasher";

/** The context of every operation that acts for an actor. */
export interface ActorCtx {
  db: PrismaClient;
  clock: Clock;
  actor: Actor;
  /** For the audit log. */
  request: RequestMeta;
  /** The key that seals list cursors. */
  cursorKey: Buffer;
}

/** Everything that the account system provides to an operation with an actor. */
export interface IdentityCtx extends AccountCtx, ActorCtx, SessionCtx {
  tenants: Pick<TenantCache, "find">;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** PUBLIC_URL is a loopback address. */
  isLoopback: boolean;
  /** The scopes that at least one operation requires. */
  scopesInUse: ReadonlySet<string>;
  clickhouse: ClickHouseClient;
  /** Every kind of event, from the account system and the products. */
  eventKinds: readonly EventKind[];
  /** Finds the keys that requests are counted for: one function per kind of key, from the account system and the products. */
  findKeys: readonly FindKeys[];
  /** Limits how many histories of requests a tenant reads at once. */
  usageTurns: Pick<Turns, "run">;
}

/** The person who is logged in to a browser, and the tenant of the session. */
export interface SessionView {
  actor: PersonActor;
  user: { id: string; email: string; email_verified_at: string | null; created_at: string };
  tenant: { id: string; name: string; is_demo: boolean; created_at: string };
}

interface SessionCtx {
  /** Only for calls with a session cookie. */
  session?: SessionView | undefined;
}

/** For changes that other processes are notified of immediately. */
export interface KeyCtx extends ActorCtx {
  counters: Counters;
}

/** The parts of the account system; created once. */
export interface AccountCtx {
  db: PrismaClient;
  clock: Clock;
  counters: Counters;
  mail: Mail;
  hasher: Hasher;
  lucia: SvcLucia;
  signUpMode: SignUpModeReader;
  /** Every limit of a tenant, from the account system and the products. */
  quotas: readonly QuotaDefinition[];
  /** The origin without a trailing slash; every link begins with it. */
  publicUrl: string;
  /** The key that turns network and email addresses into pseudonyms (`keyedHash`). */
  addressKey: Buffer;
  /** The key that signs device cookies and hashes login codes. */
  logInKey: Buffer;
  /** The key that seals the signing keys of session tokens. */
  jwtKey: Buffer;
}

/** For operations that anyone may call. */
export interface VisitorCtx extends AccountCtx, SessionCtx {
  request: RequestMeta;
}

/** For operations on the caller's own account. */
export interface PersonCtx extends VisitorCtx {
  actor: PersonActor;
}

/** For operations that send email to people who are not members yet. */
export interface TeamCtx extends ActorCtx {
  counters: Counters;
  mail: Mail;
  publicUrl: string;
  addressKey: Buffer;
}
