import { ReadThrough } from "../../kernel/read-through";
import { type Actor, scopesOfRole } from "../actors/actor";
import type { AccountCtx } from "../identity-ctx";
import { KnownSigningKeys } from "./known-signing-keys";
import { ACCESS_CHANGED } from "./session-token";
import { readAccess } from "./session-tokens.sql";
import { SIGNING_KEYS_CHANGED } from "./signing-key";
import { verifyAccessToken } from "./verify-access-token";

/** How long a log-in that was ended elsewhere can live on when the message about it was lost. */
const REMEMBERED_MS = 10_000;
const LOG_INS_MAX = 10_000;

type TokenAuthenticationOptions = Pick<AccountCtx, "db" | "clock" | "counters" | "jwtKey" | "publicUrl">;

export interface TokenAuthentication {
  /** The person behind an access token with today's role; undefined for anything else. */
  authenticate(token: string): Promise<Actor | undefined>;
  close(): Promise<void>;
}

/**
 * Checks access tokens: the signature from memory, and that the log-in and the membership behind it still stand. What
 * the database said of these holds for at most ten seconds; an end that is announced is heard at once.
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

/** Keyed by user and log-in, so that what concerns a user is found. */
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
