import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import { GROUPS, type Grant, type ObjectAccess, PERMISSIONS, type Permission } from "../objects/object-access";
import { publicAccessBlockIn } from "./bucket-security";

/** S3's maximum of a list. */
const GRANTS_MAX = 100;
/** What every id of a tenant is; other texts cannot be looked for. */
const TENANT_ID = /^ten_[0-9a-z]{26}$/;

const WireGrant = z.strictObject({
  grantee: IdText.min(1).describe(
    "The id of a tenant, `authenticated_users` (callers with credentials) or `all_users`",
  ),
  permission: z
    .enum(PERMISSIONS)
    .describe(
      "Of a bucket, `read`: list objects; `write`: store, replace and delete them. `read_acp` and `write_acp`: read and set the list",
    ),
});

export const AccessList = z
  .array(WireGrant)
  .max(GRANTS_MAX)
  .describe("Who may use the bucket over S3. Its own tenant can always read and set the list, and delete objects");

export const ObjectOwnership = z
  .enum(["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"])
  .describe(
    "Who owns an object that another tenant stores: `ObjectWriter`, that tenant; `BucketOwnerPreferred`, that tenant unless it sends `bucket-owner-full-control`; `BucketOwnerEnforced`, the bucket's tenant, and access lists have no effect",
  );

/** The settings of a bucket that decide with its lists who may use it; `acl` and `publicAccessBlock` as stored. */
export interface Listed {
  tenantId: string;
  acl: Prisma.JsonValue;
  publicRead: boolean;
  publicAccessBlock: Prisma.JsonValue;
  objectOwnership: z.output<typeof ObjectOwnership>;
}

/** Who asks. Without an actor it is anonymous. */
export interface BucketCaller {
  actor?: Actor | undefined;
  /** Whether the bucket is one that the caller sees as its own. */
  isOwn: boolean;
}

export const fullControlOf = (tenantId: string): Grant[] => [{ grantee: tenantId, permission: "full_control" }];
const READ_FOR_ALL: Grant = { grantee: "all_users", permission: "read" };

export const isGroup = (grantee: string): boolean => GROUPS.some((group) => group === grantee);

/** The grants of a bucket's own list, which `public_read` adds nothing to. */
function storedGrants({ tenantId, acl, objectOwnership }: Omit<Listed, "publicRead" | "publicAccessBlock">) {
  if (objectOwnership === "BucketOwnerEnforced" || acl === null) return fullControlOf(tenantId);
  return acl as unknown as Grant[];
}

/** The grants of a bucket as lists show them: `public_read` is one of them. */
export function bucketGrants(bucket: Omit<Listed, "publicAccessBlock">): Grant[] {
  const grants = storedGrants(bucket);
  return bucket.publicRead && !grants.some(isReadForAll) ? [...grants, READ_FOR_ALL] : grants;
}

const isReadForAll = ({ grantee, permission }: Grant): boolean =>
  grantee === READ_FOR_ALL.grantee && permission === READ_FOR_ALL.permission;

/** Whether an object has a list of its own that has an effect. */
export const hasOwnList = (
  { objectOwnership }: Pick<Listed, "objectOwnership">,
  { access }: { access?: ObjectAccess | undefined },
): boolean => access !== undefined && objectOwnership !== "BucketOwnerEnforced";

/** Who owns an object, and its grants: without a list of its own it is its owner's alone, or readable as its bucket says. */
export function objectAccess(bucket: Listed, { access }: { access?: ObjectAccess | undefined }): ObjectAccess {
  if (access && hasOwnList(bucket, { access })) return access;
  const grants = fullControlOf(bucket.tenantId);
  return { owner: bucket.tenantId, grants: bucket.publicRead ? [...grants, READ_FOR_ALL] : grants };
}

/** Whether the list of a bucket gives a caller a permission. `public_read` gives none: lists of objects stay private. */
export const bucketGives = (bucket: Listed, permission: Permission, caller: BucketCaller): boolean =>
  (caller.isOwn && isAboutList(permission)) || gives(bucket, storedGrants(bucket), { permission, caller });

/** Whether an object lets a caller do something with it. */
export function objectGives(
  bucket: Listed,
  version: { access?: ObjectAccess | undefined },
  { permission, caller }: { permission: Permission; caller: BucketCaller },
): boolean {
  const { owner, grants } = objectAccess(bucket, version);
  return (isAboutList(permission) && isTenant(bucket, owner, caller)) || gives(bucket, grants, { permission, caller });
}

const isAboutList = (permission: Permission): boolean => permission === "read_acp" || permission === "write_acp";

const gives = (
  bucket: Listed,
  grants: readonly Grant[],
  { permission, caller }: { permission: Permission; caller: BucketCaller },
): boolean =>
  grants.some(
    (grant) =>
      (grant.permission === permission || grant.permission === "full_control") &&
      isGrantee(bucket, { grant, permission, caller }),
  );

function isGrantee(
  bucket: Listed,
  { grant: { grantee }, permission, caller }: { grant: Grant; permission: Permission; caller: BucketCaller },
): boolean {
  if (!isGroup(grantee)) return isTenant(bucket, grantee, caller);
  // An anonymous caller never sets a list, even if the list grants it.
  if (permission === "write_acp" && !caller.actor) return false;
  return !ignoresGroups(bucket) && (grantee === "all_users" || caller.actor !== undefined);
}

/** The bucket's own tenant means the callers who see the bucket, not those of its other projects and of the other mode. */
const isTenant = ({ tenantId }: Listed, id: string, { actor, isOwn }: BucketCaller): boolean =>
  id === tenantId ? isOwn : id === actor?.tenantId;

/** Whether grants to groups have no effect. */
function ignoresGroups({ publicAccessBlock }: Pick<Listed, "publicAccessBlock">): boolean {
  const block = publicAccessBlockIn(publicAccessBlock);
  return block?.ignore_public_acls === true || block?.restrict_public_buckets === true;
}

/** Whether a list lets in more callers than the tenants that it names. */
export const isPublicList = (grants: readonly Grant[]): boolean => grants.some(({ grantee }) => isGroup(grantee));

/** Whether the list of a bucket lets in callers that it does not name. */
export const hasPublicList = (bucket: Listed): boolean => isPublicList(storedGrants(bucket)) && !ignoresGroups(bucket);

/** Whether new objects may not have public lists. */
export const blocksPublicLists = ({ publicAccessBlock }: { publicAccessBlock: Prisma.JsonValue }): boolean =>
  publicAccessBlockIn(publicAccessBlock)?.block_public_acls === true;

/** Throws `invalid_request` (reason `unknown_grantee`) unless each grantee is a group or the id of a tenant. */
export async function assertGrantees(
  db: Pick<Prisma.TransactionClient, "tenant">,
  grants: readonly Grant[],
  known: readonly string[],
): Promise<void> {
  const ids = [...new Set(grants.map(({ grantee }) => grantee))].filter((id) => !isGroup(id) && !known.includes(id));
  if (ids.length === 0) return;
  const possible = ids.filter((id) => TENANT_ID.test(id));
  const found =
    possible.length < ids.length ? [] : await db.tenant.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const unknown = ids.find((id) => !found.some((tenant) => tenant.id === id));
  if (unknown === undefined) return;
  throw new ServiceError("invalid_request", `acl: "${unknown.slice(0, 80)}" is no tenant's id and no group.`, {
    param: "acl",
    details: { reason: "unknown_grantee" },
  });
}
