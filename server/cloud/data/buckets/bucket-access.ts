import { decideByPolicy, isPublicPolicy, type PolicyRequest } from "../../../guard/bucket-policy/decide-policy";
import type { ConditionValues } from "../../../guard/bucket-policy/policy-conditions";
import { PolicyError } from "../../../guard/bucket-policy/policy-error";
import { type BucketPolicy, readPolicy } from "../../../guard/bucket-policy/read-policy";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import type { Grant } from "../objects/object-access";
import type { LockChoice } from "../objects/objects";
import { hasPublicList, isPublicList, type Listed } from "./access-list";
import { publicAccessBlockOf, type StoredBucket } from "./bucket";
import type { PublicAccessBlock } from "./bucket-security";

const DAY_MS = 24 * 60 * 60_000;

type Guarded = Pick<StoredBucket, "name" | "policy"> & Listed;

interface Known {
  policy: BucketPolicy;
  isPublic: boolean;
}

/** Policies that were read, as long as the settings of their buckets are cached. */
const known = new WeakMap<Guarded, Known>();

function policyOf(bucket: Guarded): Known | undefined {
  if (bucket.policy === null) return undefined;
  const before = known.get(bucket);
  if (before) return before;
  const policy = readPolicy(bucket.policy, bucket.name);
  const read = { policy, isPublic: isPublicPolicy(policy) };
  known.set(bucket, read);
  return read;
}

/** What a policy says about a request: `denied` is stronger than everything else that allows it. */
export type PolicyAccess = "allowed" | "denied" | "not_said";

/** What the policy of a bucket says about a request. `isOwn`: the caller is of the bucket's tenant. */
export function policyAccess(bucket: Guarded, request: PolicyRequest, { isOwn }: { isOwn: boolean }): PolicyAccess {
  const found = policyOf(bucket);
  const decision = found ? decideByPolicy(found.policy, request) : "none";
  if (decision === "deny") return "denied";
  const isRestricted = !isOwn && found?.isPublic && publicAccessBlockOf(bucket)?.restrict_public_buckets;
  return decision === "allow" && !isRestricted ? "allowed" : "not_said";
}

/** Whether anyone may read the objects of a bucket that have no list of their own, because it is `public_read`. */
export const isPublicRead = (bucket: Guarded): boolean =>
  bucket.publicRead && publicAccessBlockOf(bucket)?.ignore_public_acls !== true;

/** Whether a bucket lets in anyone at all. */
export const isPublicBucket = (bucket: Guarded): boolean =>
  isPublicRead(bucket) || hasPublicList(bucket) || policyOf(bucket)?.isPublic === true;

/** The ids by which policies name a caller. */
export const principalsOf = (actor: Actor | undefined): string[] =>
  actor ? [actor.tenantId, actor.kind === "key" ? actor.keyId : actor.userId] : [];

interface Change {
  policy?: string | null | undefined;
  public_read?: boolean | undefined;
  acl?: readonly Grant[] | undefined;
  public_access_block?: PublicAccessBlock | null | undefined;
}

/** Throws `invalid_request` (reason `malformed_policy`) and `forbidden` (reason `public_access_blocked`). */
export function assertPublicAccess(bucket: Guarded, change: Change): void {
  const block =
    change.public_access_block === undefined ? publicAccessBlockOf(bucket) : (change.public_access_block ?? undefined);
  if (change.public_read && block?.block_public_acls) throw blocked("public_read", "block_public_acls");
  if (change.acl && isPublicList(change.acl) && block?.block_public_acls) throw blocked("acl", "block_public_acls");
  if (typeof change.policy !== "string") return;
  const isPublic = isPublicPolicy(validPolicy(change.policy, bucket.name));
  if (isPublic && block?.block_public_policy) throw blocked("policy", "block_public_policy");
}

function validPolicy(text: string, bucket: string): BucketPolicy {
  try {
    return readPolicy(text, bucket);
  } catch (failure) {
    if (!(failure instanceof PolicyError)) throw failure;
    throw new ServiceError("invalid_request", `policy: ${failure.message}`, {
      param: "policy",
      details: { reason: "malformed_policy" },
    });
  }
}

const blocked = (param: string, setting: string): ServiceError =>
  new ServiceError("forbidden", `${param}: ${setting} of the bucket forbids public access; switch it off first.`, {
    param,
    details: { reason: "public_access_blocked" },
  });

interface Asked {
  action: string;
  keys: readonly string[];
  /** What the request asks for, for the conditions on it. */
  lock?: LockChoice | undefined;
}

const lockValues = ({ retention, legalHold }: LockChoice, now: Date): Record<string, string> => ({
  ...(retention && {
    "s3:object-lock-mode": retention.mode.toUpperCase(),
    "s3:object-lock-retain-until-date": new Date(retention.until).toISOString(),
    "s3:object-lock-remaining-retention-days": String(Math.ceil((retention.until - now.getTime()) / DAY_MS)),
  }),
  ...(legalHold !== undefined && { "s3:object-lock-legal-hold": legalHold ? "ON" : "OFF" }),
});

/** Throws `forbidden` (reason `policy_denies`) if the policy of the caller's own bucket denies an action. */
export function assertNotDenied(
  { actor, request, clock }: Pick<ActorCtx, "actor" | "request" | "clock">,
  bucket: Guarded,
  { action, keys, lock }: Asked,
): void {
  if (bucket.policy === null) return;
  const principals = principalsOf(actor);
  const now = clock.now();
  const values: Readonly<Record<string, string>> = {
    "aws:sourceip": request.address,
    "aws:useragent": request.userAgent,
    "aws:currenttime": now.toISOString(),
    "aws:epochtime": String(Math.floor(now.getTime() / 1000)),
    "aws:principalaccount": actor.tenantId,
    "aws:userid": principals[1] ?? "",
    ...(lock && lockValues(lock, now)),
  };
  const valuesOf: ConditionValues = (key) => (values[key] === undefined ? undefined : [values[key]]);
  for (const key of keys) {
    const resource = key === "" ? bucket.name : `${bucket.name}/${key}`;
    if (policyAccess(bucket, { action, resource, principals, valuesOf }, { isOwn: true }) !== "denied") continue;
    throw new ServiceError("forbidden", `The policy of the bucket "${bucket.name}" denies ${action}.`, {
      details: { reason: "policy_denies", action },
    });
  }
}
