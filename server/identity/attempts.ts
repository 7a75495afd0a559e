import type { Rate } from "../engines/counters/counters";
import { ServiceError } from "../kernel/errors";
import type { AccountCtx, RequestFacts } from "./identity-ctx";
import { addressHash, emailHash, isLoopbackAddress } from "./sessions/address-hash";

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Attempts that one account, and one address, may make; every number of the account system stands here. */
export const ATTEMPTS = {
  /** Guessing one account: 20 at once, then one each 30 s. */
  password: { burst: 20, perSecond: 1 / 30 },
  /** Guessing many accounts from one place. */
  passwordAddress: { burst: 60, perSecond: 1 / 10 },
  /** Refreshing and ending log-ins through the API; a whole office may do so each hour. */
  refreshAddress: { burst: 100, perSecond: 2 },
  signUpAddress: { burst: 20, perSecond: 1 / 180 },
  /** Mail to one account. */
  mail: { burst: 3, perSecond: 1 / 300 },
  mailAddress: { burst: 20, perSecond: 1 / 60 },
  /** Trying tokens; they carry 256 bits, so this only bounds the work. */
  tokenAddress: { burst: 60, perSecond: 1 / 10 },
  invitations: { burst: 50, perSecond: 1 / 60 },
} as const satisfies Record<string, Rate>;

type AttemptKind = keyof typeof ATTEMPTS;
type Buckets = Pick<AccountCtx, "counters" | "addressKey">;

/** Counts an attempt on an account, known or not; throws `rate_limited` when there were too many. */
export const takeForAccount = (ctx: Buckets, kind: AttemptKind, email: string): Promise<void> =>
  take(ctx, kind, emailHash(ctx.addressKey, email));

/** Counts an attempt from the caller's address; this machine is exempt while svc serves this machine alone. */
export async function takeForAddress(
  ctx: Buckets & { publicUrl: string; request: RequestFacts },
  kind: AttemptKind,
): Promise<void> {
  const { address } = ctx.request;
  if (isLoopbackAddress(address) && LOOPBACK_HOSTS.has(new URL(ctx.publicUrl).hostname)) return;
  await take(ctx, kind, addressHash(ctx.addressKey, address));
}

/** Counts an attempt of anything that has an id of its own. */
export async function take({ counters }: Pick<AccountCtx, "counters">, kind: AttemptKind, key: string): Promise<void> {
  const verdict = await counters.take(`identity:${kind}:${key}`, ATTEMPTS[kind]);
  if (verdict.allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  throw new ServiceError("rate_limited", `Too many attempts; try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
