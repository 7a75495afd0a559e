import { setImmediate } from "node:timers/promises";
import { bucketGives, hasOwnList, objectGives } from "../../cloud/data/buckets/access-list";
import { isPublicRead, type PolicyAccess, policyAccess, principalsOf } from "../../cloud/data/buckets/bucket-access";
import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import type { Permission } from "../../cloud/data/objects/object-access";
import type { DeleteChoice, Gate, ObjectTags, VersionChoice } from "../../cloud/data/objects/objects";
import { authorize } from "../../operation/authorize";
import { neededPermission, OF_EVERY_OWNER, OF_UPLOADS } from "./list-permissions";
import { policyActions } from "./policy-actions";
import { policyValues } from "./policy-values";
import { type BucketCall, type ObjectCall, type S3Call, type S3Operation, seesBucket } from "./s3-call";
import { S3Error } from "./s3-error";

/** An operation on a bucket or an object, as far as access to it depends on it. */
export interface AskedAccess extends Pick<S3Operation<never>, "name" | "access" | "withBodyFacts"> {
  key?: string | undefined;
  versionId?: string | undefined;
}

/** Nobody can lock the owner of a bucket out of its policy. */
const OF_OWNERS = new Set(["GetBucketPolicy", "PutBucketPolicy", "DeleteBucketPolicy"]);
/** Each of its keys has its own access. */
const BATCH = "DeleteObjects";

/**
 * Throws `AccessDenied` unless the caller may do what is asked: an API key needs the scope; then the policy of the
 * bucket may deny it, and one of the policy and the access lists must allow it. What the list of an object decides is
 * decided by the gate that is returned, once the object is found; without a gate the caller may read what it asked for.
 */
export async function assertAccess(
  call: S3Call,
  bucket: BucketSettings,
  asked: AskedAccess,
): Promise<Gate | undefined> {
  const { caller } = call;
  const isOwn = seesBucket(caller, bucket);
  const said = await whatPolicySays(call, bucket, asked);
  const isDenied = said === "denied" && !(isOwn && OF_OWNERS.has(asked.name));
  if (isDenied) throw accessDenied();
  const needed = neededPermission(asked.name);
  const isAllowed = said === "allowed" && (isOwn || !isSetting(asked));
  if (!isAllowed && needed?.of === "object") return gateOf(call, bucket, { ...asked, permission: needed.permission });
  if (!isAllowed && !(await listGives(call, bucket, asked))) throw accessDenied();
  if (caller.actor) authorize(asked.access, { actor: caller.actor });
  return undefined;
}

/** Lets a caller pass whom the list of the object lets in. One who may list the bucket learns that an object is absent. */
function gateOf(call: S3Call, bucket: BucketSettings, asked: AskedAccess & { permission: Permission }): Gate {
  const { permission } = asked;
  const caller = { actor: call.caller.actor, isOwn: seesBucket(call.caller, bucket) };
  const stranger = { isOwn: false };
  return (version) => {
    if (permission === "read") {
      // A public object needs no scope either.
      const isPublic =
        version && hasOwnList(bucket, version)
          ? objectGives(bucket, version, { permission, caller: stranger })
          : isPublicRead(bucket);
      if (isPublic) return;
    }
    if (caller.actor) authorize(asked.access, { actor: caller.actor });
    const isLetIn = version
      ? objectGives(bucket, version, { permission, caller })
      : caller.isOwn || bucketGives(bucket, "read", caller);
    if (!isLetIn) throw accessDenied();
  };
}

/** Whether the list of a bucket lets a caller do what is asked; what no list gives, the owner of the bucket does. */
async function listGives(call: S3Call, bucket: BucketSettings, asked: AskedAccess): Promise<boolean> {
  const { actor } = call.caller;
  const isOwn = seesBucket(call.caller, bucket);
  if (isOwn && OF_EVERY_OWNER.has(asked.name)) return true;
  const needed = neededPermission(asked.name);
  if (!needed) return isOwn;
  if (!bucketGives(bucket, needed.permission, { actor, isOwn })) return false;
  if (isOwn) return true;
  // Replaced and deleted objects stay as versions, which only the owner of the bucket deletes.
  if (asked.name === "DeleteObject") return asked.versionId === undefined;
  if (asked.name === "CreateMultipartUpload") return actor !== undefined;
  if (!OF_UPLOADS.has(asked.name)) return true;
  const place = { key: asked.key ?? "", uploadId: call.request.query.get("uploadId") ?? "" };
  const upload = actor && (await call.cloud.objects.findUpload(bucket, place));
  return upload !== undefined && (upload.access?.owner ?? bucket.tenantId) === actor?.tenantId;
}

/** Whether the caller may do something to one key of a batch that is allowed as a whole. */
async function isAllowed(call: S3Call, bucket: BucketSettings, asked: AskedAccess): Promise<boolean> {
  const said = await whatPolicySays(call, bucket, asked);
  return said === "allowed" || (said === "not_said" && (await listGives(call, bucket, asked)));
}

/** Whether the caller may call an operation on the object of a request. */
export const mayCall = (call: ObjectCall, name: string): Promise<boolean> =>
  isAllowed(call, call.bucket, {
    name,
    access: "storage:read",
    key: call.key,
    versionId: call.request.query.get("versionId"),
  });

/** Whether a request bypasses the retention of an object in governance mode: it asks to, and the caller may. */
export const mayBypass = async (call: BucketCall, { key, versionId }: VersionChoice): Promise<boolean> =>
  call.request.headers.get("x-amz-bypass-governance-retention")?.toLowerCase() === "true" &&
  (await isAllowed(call, call.bucket, {
    name: "BypassGovernanceRetention",
    access: "storage:write",
    key,
    versionId,
  }));

/** Keys between which other requests have their turn: each costs as much as the policy is long. */
const TURN_KEYS = 50;

/** Divides the objects that a batch deletes by whether the caller may delete them. */
export async function deletable<C extends VersionChoice>(
  call: BucketCall,
  choices: readonly C[],
): Promise<{ allowed: C[]; denied: C[] }> {
  const { bucket, caller } = call;
  if (bucket.policy === null && seesBucket(caller, bucket)) return { allowed: [...choices], denied: [] };
  const divided: { allowed: C[]; denied: C[] } = { allowed: [], denied: [] };
  for (const [i, choice] of choices.entries()) {
    if (i % TURN_KEYS === TURN_KEYS - 1) await setImmediate();
    const { key, versionId } = choice;
    const asked = { name: "DeleteObject", access: "storage:write" as const, key, versionId };
    divided[(await isAllowed(call, bucket, asked)) ? "allowed" : "denied"].push(choice);
  }
  return divided;
}

/** The same choices, with whether each bypasses retention in governance mode. */
export async function bypassing(call: BucketCall, choices: readonly DeleteChoice[]): Promise<DeleteChoice[]> {
  const all: DeleteChoice[] = [];
  for (const [i, choice] of choices.entries()) {
    if (i % TURN_KEYS === TURN_KEYS - 1) await setImmediate();
    all.push({ ...choice, bypassGovernance: await mayBypass(call, choice) });
  }
  return all;
}

/** Only the owner can change the settings of a bucket, even if a policy allows more. */
const isSetting = ({ access, key, name }: AskedAccess): boolean =>
  access === "storage:write" && key === undefined && name !== BATCH && name !== "PostObject";

async function whatPolicySays(sent: S3Call, bucket: BucketSettings, asked: AskedAccess): Promise<PolicyAccess> {
  if (bucket.policy === null) return "not_said";
  if (asked.name === BATCH) return "allowed";
  const call = asked.withBodyFacts ? await asked.withBodyFacts(sent) : sent;
  const { actor } = call.caller;
  const { key, versionId, name } = asked;
  const resource = key === undefined ? bucket.name : `${bucket.name}/${key}`;
  const shared = {
    resource,
    principals: principalsOf(actor),
    valuesOf: policyValues(call, bucket, { operation: name, versionId, tags: await existingTags(call, bucket, asked) }),
  };
  const isOwn = actor?.tenantId === bucket.tenantId;
  const all = policyActions(name, { versionId, headers: call.request.headers }).map((action) =>
    policyAccess(bucket, { action, ...shared }, { isOwn }),
  );
  if (all.includes("denied")) return "denied";
  return all.every((each) => each === "allowed") ? "allowed" : "not_said";
}

/** The tags of the object that a request names, if the policy has conditions on them. */
async function existingTags(
  { cloud }: S3Call,
  bucket: BucketSettings,
  { key, versionId }: AskedAccess,
): Promise<ObjectTags> {
  if (key === undefined || !/s3:existingobjecttag\//i.test(bucket.policy ?? "")) return [];
  const found = await cloud.objects.find(bucket, { key, ...(versionId !== undefined && { versionId }) });
  return found?.tags ?? [];
}

/** The same for a foreign bucket, and for anonymous requests whether or not the bucket exists. */
export const accessDenied = (): S3Error => new S3Error("AccessDenied", "Access Denied.");
