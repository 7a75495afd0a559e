import { randomBytes } from "node:crypto";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { migrateJobs } from "../../server/engines/jobs/migrate-jobs";
import { createMail } from "../../server/engines/mail/mail";
import type { AccountCtx, Hasher, PersonCtx, VisitorCtx } from "../../server/identity/identity-ctx";
import type { TeamCtx } from "../../server/identity/invitations/team-ctx";
import { authenticateSession } from "../../server/identity/sessions/authenticate-session";
import { createLucia } from "../../server/identity/sessions/create-lucia";
import { signUp } from "../../server/identity/sign-up/sign-up";
import { createSignUpModeReader } from "../../server/identity/sign-up/sign-up-mode";
import { createHasher } from "../../server/identity/users/hasher";
import { ManualClock } from "../../server/kernel/clock";
import { ALL_QUOTAS } from "../../server/quotas";
import { testDatabase } from "./postgres";

export const PASSWORD = "correct horse battery";
const START = new Date("2026-11-20T12:00:00Z");
/** Argon2's lowest cost: tests are about what is hashed, not how slowly. */
const QUICK = { memoryKib: 8, passes: 1, lanes: 1 };

/** A hasher that counts its calls. */
export interface CountingHasher extends Hasher {
  hashes: number;
  comparisons: number;
}

export interface IdentityTestOptions {
  publicUrl?: string;
  signup?: "open" | "invite";
  smtpUrl?: string;
}

export type Person = PersonCtx & TeamCtx & { email: string; cookie: string };

/** The account system on a database of its own, with a stopped clock. */
export async function identityTest({
  publicUrl = "http://localhost:3000",
  signup = "open",
  smtpUrl,
}: IdentityTestOptions = {}) {
  const database = await testDatabase();
  await migrateJobs(database.sql);
  const { db, sql } = database;
  const clock = new ManualClock(START);
  const hasher = await countingHasher();
  const isLoopback = new URL(publicUrl).hostname === "localhost";
  const counters = new MemoryCounters(clock);
  const ctx: AccountCtx = {
    db,
    clock,
    counters,
    mail: createMail({ db, clock, from: "svc <no-reply@svc.example>", smtpUrl, isLoopback }),
    hasher,
    lucia: createLucia({ db, clock, publicUrl }),
    signUpMode: await createSignUpModeReader({ db, clock, counters, configured: signup }),
    quotas: ALL_QUOTAS,
    publicUrl,
    addressKey: randomBytes(32),
    jwtKey: randomBytes(32),
    logInKey: randomBytes(32),
  };
  const cursorKey = randomBytes(32);
  let visits = 0;
  const visitor = (address = `198.51.100.${++visits % 250}`): VisitorCtx => ({
    ...ctx,
    request: { requestId: "req_test", address, userAgent: "Firefox" },
  });
  /** The user of a `Set-Cookie` value; throws if the cookie belongs to no session. */
  const personOf = async (cookie: string): Promise<Person> => {
    const session = await authenticateSession(ctx, cookie.split(";")[0]);
    if (!session) throw new Error("This cookie belongs to no session.");
    return { ...visitor(), cursorKey, actor: session.actor, email: session.user.email, cookie };
  };
  /** Signs up a user, with a tenant of their own unless they use an invitation. */
  const person = async (email: string, invitationToken?: string): Promise<Person> => {
    const invitation = invitationToken === undefined ? {} : { invitation_token: invitationToken };
    const { cookie } = await signUp.run(visitor(), { email, password: PASSWORD, ...invitation });
    // Ids of the same millisecond have no order, and "the newest email" needs one.
    clock.advance(1);
    return personOf(cookie);
  };
  const lettersTo = (to: string) => db.email.findMany({ where: { to }, orderBy: { id: "asc" } });
  /** The token in the newest email to an address. */
  const tokenFor = async (to: string): Promise<string> => {
    const token = /token=([a-z2-7]+)/.exec((await lettersTo(to)).at(-1)?.text ?? "")?.[1];
    if (!token) throw new Error(`No email to ${to} has a token.`);
    return token;
  };
  return {
    ctx,
    db,
    sql,
    clock,
    hasher,
    cursorKey,
    visitor,
    person,
    personOf,
    lettersTo,
    tokenFor,
    url: database.url,
    close: database.close,
  };
}

export type IdentityTest = Awaited<ReturnType<typeof identityTest>>;

async function countingHasher(): Promise<CountingHasher> {
  const quick = await createHasher(QUICK);
  const hasher: CountingHasher = {
    decoy: quick.decoy,
    hashes: 0,
    comparisons: 0,
    hash(password) {
      hasher.hashes++;
      return quick.hash(password);
    },
    verify(stored, password) {
      hasher.comparisons++;
      return quick.verify(stored, password);
    },
  };
  return hasher;
}
