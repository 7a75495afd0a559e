import type { Counters, Rate, RateVerdict } from "../engines/counters/counters";
import { failOpen } from "../engines/counters/fail-open";
import { ServiceError } from "../kernel/errors";
import { LOOPBACK_HOSTS } from "../kernel/loopback-hosts";
import type { RequestMeta } from "../operation/request-meta";
import { addressHash, emailHash, isLoopbackAddress, networkHash } from "./address-hash";
import type { AccountCtx } from "./identity-ctx";

/** Every attempt limit of the account system, by account and by address. */
export const ATTEMPTS = {
  /** Guesses on one account from one network: 20 at once, then one every 30 s. */
  password: { burst: 20, perSecond: 1 / 30 },
  /** Guesses on one account from any network; above the limit a login requires a code in addition to the password. */
  passwordAccount: { burst: 100, perSecond: 1 / 60 },
  /**
   * Attempts on one account from a browser that has logged in to it before; attempts of others are not counted here.
   */
  passwordDevice: { burst: 20, perSecond: 1 / 30 },
  /** Confirmations of the password within one session. */
  passwordSession: { burst: 20, perSecond: 1 / 30 },
  /** Guesses on any account from one address. */
  passwordAddress: { burst: 60, perSecond: 1 / 10 },
  /** Login codes sent by email to one account, only after a correct password. */
  logInCode: { burst: 3, perSecond: 1 / 300 },
  /** Refreshes and logouts through the API; high enough for an office that shares one address. */
  refreshAddress: { burst: 100, perSecond: 2 },
  signUpAddress: { burst: 20, perSecond: 1 / 180 },
  /** Emails to one account. */
  mail: { burst: 3, perSecond: 1 / 300 },
  mailAddress: { burst: 20, perSecond: 1 / 60 },
  /** Emails to one mailbox about accounts that anyone created with its address. */
  verificationMail: { burst: 10, perSecond: 1 / 300 },
  /** Attempts to use a token; tokens have 256 bits, so this only limits the work. */
  tokenAddress: { burst: 60, perSecond: 1 / 10 },
  tokenSession: { burst: 60, perSecond: 1 / 10 },
  invitations: { burst: 50, perSecond: 1 / 60 },
} as const satisfies Record<string, Rate>;

type AttemptKind = keyof typeof ATTEMPTS;

/**
 * Limits that only bound the work of svc: secrets of 256 bits cannot be guessed. All others fail closed while the
 * counters are unavailable, because they protect against uncounted guesses and uncounted emails.
 */
const FAIL_OPEN: ReadonlySet<AttemptKind> = new Set(["refreshAddress", "tokenAddress", "tokenSession"]);
const UNLIMITED: RateVerdict = { allowed: true, remaining: 0, retryAfterMs: 0, resetMs: 0 };

type Buckets = Pick<AccountCtx, "counters" | "addressKey">;
type Visit = Buckets & { request: RequestMeta };

/** Counts an attempt on an account, whether or not it exists; throws `rate_limited` when there were too many. */
export const takeForAccount = (ctx: Buckets, kind: AttemptKind, email: string): Promise<void> =>
  take(ctx, kind, emailHash(ctx.addressKey, email));

/** Counts an attempt from the caller's address; loopback addresses are exempt when PUBLIC_URL is a loopback address. */
export async function takeForAddress(ctx: Visit & { publicUrl: string }, kind: AttemptKind): Promise<void> {
  const { address } = ctx.request;
  if (isLoopbackAddress(address) && LOOPBACK_HOSTS.has(new URL(ctx.publicUrl).hostname)) return;
  await take(ctx, kind, addressHash(ctx.addressKey, address));
}

/** Counts an attempt on anything identified by an id. */
export async function take(ctx: Pick<AccountCtx, "counters">, kind: AttemptKind, key: string): Promise<void> {
  const verdict = await tryTake(ctx, kind, key);
  if (verdict.allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  throw new ServiceError("rate_limited", `Too many attempts; try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

/** Like `take`, but returns the verdict. Throws `unavailable` for an attempt that must be counted and cannot be. */
export async function tryTake(
  { counters }: { counters: Pick<Counters, "take"> },
  kind: AttemptKind,
  key: string,
): Promise<RateVerdict> {
  const verdict = await failOpen(counters.take(`identity:${kind}:${key}`, ATTEMPTS[kind]));
  if (verdict) return verdict;
  if (FAIL_OPEN.has(kind)) return UNLIMITED;
  throw new ServiceError("unavailable", "Attempts cannot be counted at the moment; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "counters_unavailable" },
  });
}

export const tryTakeForAccount = (ctx: Buckets, kind: AttemptKind, email: string): Promise<RateVerdict> =>
  tryTake(ctx, kind, emailHash(ctx.addressKey, email));

/** Counts an attempt on an account from the caller's network. */
export const tryTakeForNetwork = (ctx: Visit, kind: AttemptKind, email: string): Promise<RateVerdict> =>
  tryTake(ctx, kind, `${emailHash(ctx.addressKey, email)}:${networkHash(ctx.addressKey, ctx.request.address)}`);
