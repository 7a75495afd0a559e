import type { Counters } from "../engines/counters/counters";
import type { Mail } from "../engines/mail/mail";
import type { PrismaClient } from "../engines/postgres/generated/client";
import type { Clock } from "../kernel/clock";
import type { Actor, PersonActor } from "./actors/actor";
import type { SvcLucia } from "./sessions/create-lucia";
import type { SignUpModeReader } from "./sign-up-mode/sign-up-mode";
import type { Hasher } from "./users/hasher";

/** What every verb that acts for somebody gets. */
export interface ActorCtx {
  db: PrismaClient;
  clock: Clock;
  actor: Actor;
  /** For the audit log. */
  request: RequestFacts;
  /** Seals list cursors. */
  cursorKey: Buffer;
}

/** For changes that the other processes are told of at once. */
export interface KeyCtx extends ActorCtx {
  counters: Counters;
}

/** What the account system is made of; built once. */
export interface AccountCtx {
  db: PrismaClient;
  clock: Clock;
  counters: Counters;
  mail: Mail;
  hasher: Hasher;
  lucia: SvcLucia;
  signUpMode: SignUpModeReader;
  /** Origin and path without a trailing slash; every link begins with it. */
  publicUrl: string;
  /** Turns network and mail addresses into pseudonyms (`keyedHash`). */
  addressKey: Buffer;
  /** Seals the keys that sign session tokens. */
  jwtKey: Buffer;
}

/** What is known about a request before anybody has logged in. */
export interface RequestFacts {
  requestId: string;
  /** The client's address, as the trusted proxies tell it. */
  address: string;
  userAgent: string;
  /** What a browser sends along by itself; only for endpoints that live by a cookie, never for a log. */
  browser?: { cookies: string; origin: string | undefined } | undefined;
}

/** For verbs that anybody may call. */
export interface VisitorCtx extends AccountCtx {
  request: RequestFacts;
}

/** For verbs about the account of the person who calls. */
export interface PersonCtx extends VisitorCtx {
  actor: PersonActor;
}

/** For verbs that write to future members. */
export interface TeamCtx extends ActorCtx {
  counters: Counters;
  mail: Mail;
  publicUrl: string;
  addressKey: Buffer;
}
