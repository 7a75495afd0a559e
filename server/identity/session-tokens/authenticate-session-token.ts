import { ReadThrough } from "../../kernel/read-through";
import { type Actor, scopesOfRole } from "../../operation/actor";
import { ACCESS_CHANGED } from "../access-changed";
import type { AccountCtx } from "../identity-ctx";
import { KnownSigningKeys } from "./known-signing-keys";
import { readAccess } from "./session-tokens.sql";
import { SIGNING_KEYS_CHANGED } from "./signing-key";
import { verifyAccessToken } from "./verify-access-token";

/** The longest time that an ended session still works in a process that missed the message. */
const REMEMBERED_MS = 10_000;
const LOG_INS_MAX = 10_000;

export type TokenAuthenticationOptions = Pick<AccountCtx, "db" | "clock" | "counters" | "jwtKey" | "publicUrl">;

export interface TokenAuthentication {
  /** Returns the person of an access token with their current role; undefined for an invalid token. */
  authenticate(token: string): Promise<Actor | undefined>;
  close(): Promise<void>;
}

/**
 * Checks access tokens: the signature, and that the session and the membership still exist. A cached row is used for at
 * most ten seconds, and dropped as soon as a message says that access changed.
 */
export async function createTokenAuthentication(options: TokenAuthenticationOptions): Promise<TokenAuthentication> {
  const { clock, counters, publicUrl: issuer } = options;
  const keys = new KnownSigningKeys(options);
  const logIns = createLogIns(options);
  const unsubscribes = [
    await counters.subscribe(ACCESS_CHANGED, (userId) => logIns.forgetUser(userId)),
    await counters.subscribe(SIGNING_KEYS_CHANGED, () => keys.expectAnother()),
  ];
  return {
    async authenticate(token) {
      const grant = await verifyAccessToken(token, { findKey: (kid) => keys.find(kid), issuer, now: clock.now() });
      if (!grant) return undefined;
      const { userId, tenantId, sessionId } = grant;
      const access = await logIns.find(userId, sessionId);
      if (access?.tenantId !== tenantId) return undefined;
      const { role } = access;
      return { kind: "person", tenantId, userId, sessionId, role, scopes: scopesOfRole(role) };
    },
    async close() {
      for (const unsubscribe of unsubscribes) await unsubscribe();
    },
  };
}

/** Keyed by user and session, so that all entries of a user can be found. */
function createLogIns({ db, clock }: Pick<TokenAuthenticationOptions, "db" | "clock">) {
  const read = (key: string) => {
    const [userId = "", sessionId = ""] = key.split(" ");
    return readAccess(db, { userId, sessionId, now: clock.now() });
  };
  const logIns = new ReadThrough({ clock, read, freshMs: REMEMBERED_MS, max: LOG_INS_MAX });
  return {
    find: (userId: string, sessionId: string) => logIns.find(`${userId} ${sessionId}`),
    forgetUser: (userId: string) => logIns.forgetWhere((key) => key.startsWith(`${userId} `)),
  };
}
