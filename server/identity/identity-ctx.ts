import type { Lucia } from "lucia";
import type { Pool } from "pg";
import type { Counters } from "../engines/counters/counters";
import type { Mail } from "../engines/mail/mail";
import type { PrismaClient } from "../engines/postgres/generated/client";
import type { Clock } from "../kernel/clock";
import type { Actor, PersonActor } from "../operation/actor";
import type { QuotaDefinition } from "../operation/quota";
import type { RequestMeta } from "../operation/request-meta";

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

/** For operations with SQL that Prisma cannot express. */
export interface SqlCtx extends ActorCtx {
  /** The same Postgres as `db`. */
  sql: Pool;
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

/** Hashes and compares passwords. */
export interface Hasher {
  /** A hash that matches no password: comparing with it costs the same as a real comparison. */
  readonly decoy: string;
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** Who may sign up: anyone, or only people with an invitation. */
export interface SignUpModeReader {
  current(): Promise<"open" | "invite">;
  close(): Promise<void>;
}

/** What is stored with a session. */
export interface SessionAttributes {
  tenantId: string;
  createdAt: Date;
  userAgent: string;
  addressHash: string;
}

/** The fields of a user that are read with a session. */
export interface UserAttributes {
  email: string;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

/** The parts of the account system; created once. */
export interface AccountCtx {
  db: PrismaClient;
  clock: Clock;
  counters: Counters;
  mail: Mail;
  hasher: Hasher;
  lucia: Lucia<SessionAttributes, UserAttributes>;
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
