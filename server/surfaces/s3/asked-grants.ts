import { fullControlOf, isGroup } from "../../cloud/data/buckets/access-list";
import type { Grant, Permission } from "../../cloud/data/objects/object-access";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import { S3Error } from "./s3-error";

const GROUP_URIS: Readonly<Record<string, string>> = {
  "http://acs.amazonaws.com/groups/global/AllUsers": "all_users",
  "http://acs.amazonaws.com/groups/global/AuthenticatedUsers": "authenticated_users",
};
const LOG_DELIVERY = "http://acs.amazonaws.com/groups/s3/LogDelivery";
/** S3's maximum of a list. */
const GRANTS_MAX = 100;

const PERMISSIONS: Readonly<Record<string, Permission>> = {
  READ: "read",
  WRITE: "write",
  READ_ACP: "read_acp",
  WRITE_ACP: "write_acp",
  FULL_CONTROL: "full_control",
};

const HEADERS: Readonly<Record<string, Permission>> = {
  "x-amz-grant-full-control": "full_control",
  "x-amz-grant-read": "read",
  "x-amz-grant-read-acp": "read_acp",
  "x-amz-grant-write": "write",
  "x-amz-grant-write-acp": "write_acp",
};

/** The group of S3 that a grantee of a list is, by its URI. */
export const uriOf = (grantee: string): string | undefined =>
  Object.keys(GROUP_URIS).find((uri) => GROUP_URIS[uri] === grantee);

/** The permission as S3 names it. */
export const shownPermission = (permission: Permission): string => permission.toUpperCase();

/** Ids of tenants; of a bucket, both are its owner. */
interface Owners {
  owner: string;
  bucketOwner: string;
}

const toAll = (permission: Permission): Grant => ({ grantee: "all_users", permission });

/** What each canned list grants besides everything to the owner, from "Canned ACL" of the Amazon S3 user guide. */
const CANNED: Readonly<Record<string, (owners: Owners) => Grant[]>> = {
  private: () => [],
  "public-read": () => [toAll("read")],
  "public-read-write": () => [toAll("read"), toAll("write")],
  "authenticated-read": () => [{ grantee: "authenticated_users", permission: "read" }],
};

const CANNED_OF_OBJECTS: typeof CANNED = {
  ...CANNED,
  "bucket-owner-read": ({ owner, bucketOwner }) =>
    owner === bucketOwner ? [] : [{ grantee: bucketOwner, permission: "read" }],
  "bucket-owner-full-control": ({ owner, bucketOwner }) => (owner === bucketOwner ? [] : fullControlOf(bucketOwner)),
};

/** Lists for services of Amazon, which svc does not have. */
const FOR_SERVICES = ["aws-exec-read", "log-delivery-write"];

/**
 * The list that the headers of a request ask for; undefined if they ask for none. Throws `InvalidRequest` for both a canned
 * list and grants, and `InvalidArgument`, `NotImplemented` and `UnresolvableGrantByEmailAddress` for what cannot be.
 */
export function askedGrants(
  headers: ReadonlyMap<string, string>,
  { of, ...owners }: Owners & { of: "bucket" | "object" },
): Grant[] | undefined {
  const canned = headers.get("x-amz-acl");
  const named = Object.keys(HEADERS).filter((name) => headers.has(name));
  if (canned === undefined && named.length === 0) return undefined;
  if (canned !== undefined && named.length > 0) {
    throw new S3Error("InvalidRequest", "Send either x-amz-acl or x-amz-grant-* headers, not both.");
  }
  if (canned !== undefined) return cannedGrants(canned, of === "bucket" ? CANNED : CANNED_OF_OBJECTS, owners);
  const grants = Object.entries(HEADERS).flatMap(([name, permission]) =>
    granteesIn(name, headers.get(name)).map((grantee) => ({ grantee, permission })),
  );
  if (grants.length <= GRANTS_MAX) return grants;
  throw new S3Error("InvalidArgument", `An access list has at most ${GRANTS_MAX} grants.`);
}

function cannedGrants(name: string, known: typeof CANNED, owners: Owners): Grant[] {
  if (FOR_SERVICES.includes(name)) throw new S3Error("NotImplemented", `x-amz-acl: ${name} is not supported.`);
  const more = Object.hasOwn(known, name) ? known[name] : undefined;
  if (more) return [...fullControlOf(owners.owner), ...more(owners)];
  throw new S3Error("InvalidArgument", `x-amz-acl must be one of ${Object.keys(known).join(", ")}.`);
}

/** One of `id="…", uri="…"`, whose quotes may be absent. */
const GRANTEE = /\s*([a-z]+)\s*=\s*(?:"([^"]*)"|([^",\s]*))\s*(?:,|$)/iy;

function granteesIn(name: string, header: string | undefined): string[] {
  if (header === undefined) return [];
  const grantees: string[] = [];
  GRANTEE.lastIndex = 0;
  while (GRANTEE.lastIndex < header.length) {
    const [, kind = "", quoted, plain = ""] = GRANTEE.exec(header) ?? [];
    const value = quoted ?? plain;
    if (kind === "" || value === "") {
      throw new S3Error("InvalidArgument", `${name} must be a list of id="…" and uri="…", separated by commas.`);
    }
    grantees.push(granteeOf(kind.toLowerCase(), value, name));
  }
  return grantees;
}

function granteeOf(kind: string, value: string, where: string): string {
  if (kind === "id") return idOf(value);
  if (kind === "uri") return groupOf(value);
  if (kind === "emailaddress") throw unresolvable();
  throw new S3Error("InvalidArgument", `A grantee in ${where} is named by id, uri or emailAddress.`);
}

/** The ids of grantees are looked up where the list is stored; the names of groups are no ids. */
function idOf(id: string): string {
  if (!isGroup(id) && id.length <= 200 && !id.includes("\0")) return id;
  throw new S3Error("InvalidArgument", "The id of a grantee must be the id of a tenant.");
}

function groupOf(uri: string): string {
  if (uri === LOG_DELIVERY) throw new S3Error("NotImplemented", "The group LogDelivery is not supported.");
  const group = Object.hasOwn(GROUP_URIS, uri) ? GROUP_URIS[uri] : undefined;
  if (group !== undefined) return group;
  throw new S3Error("InvalidArgument", `The group of a grantee must be one of ${Object.keys(GROUP_URIS).join(", ")}.`);
}

/** The same for every address, so that nobody learns who has an account. */
const unresolvable = (): S3Error =>
  new S3Error(
    "UnresolvableGrantByEmailAddress",
    "Grantees cannot be named by their email address here; name them by the id of their tenant.",
  );

/** The grants of an `AccessControlPolicy`, whose owner must be that of what it is for. Throws `MalformedACLError` too. */
export function grantsOf(document: XmlElement, owner: string): Grant[] {
  const [stated, ...more] = childrenOf(document, "Owner");
  const [list, ...lists] = childrenOf(document, "AccessControlList");
  const id = stated && textIn(stated, "ID");
  if (!id || more.length > 0) throw malformed("It must have one Owner with its ID.");
  if (!list || lists.length > 0) throw malformed("It must have one AccessControlList.");
  if (id !== owner) throw new S3Error("AccessDenied", "An access list cannot change the owner.");
  if (list.children.length > GRANTS_MAX) throw malformed(`It can have at most ${GRANTS_MAX} grants.`);
  return list.children.map(grantIn);
}

const KINDS: Readonly<Record<string, readonly [element: string, kind: string]>> = {
  CanonicalUser: ["ID", "id"],
  Group: ["URI", "uri"],
  AmazonCustomerByEmail: ["EmailAddress", "emailaddress"],
};

function grantIn(element: XmlElement): Grant {
  const [grantee, ...others] = childrenOf(element, "Grantee");
  const permission = PERMISSIONS[textIn(element, "Permission") ?? ""];
  if (element.name !== "Grant" || !grantee || others.length > 0) throw malformed("Each Grant must have one Grantee.");
  if (!permission) throw malformed(`The Permission of a Grant must be one of ${Object.keys(PERMISSIONS).join(", ")}.`);
  const known = KINDS[grantee.type ?? ""];
  if (!known) throw malformed(`The xsi:type of a Grantee must be one of ${Object.keys(KINDS).join(", ")}.`);
  const [name, kind] = known;
  const value = textIn(grantee, name);
  if (!value) throw malformed(`A Grantee of the type ${grantee.type} must have a ${name}.`);
  return { grantee: granteeOf(kind, value, "a Grant"), permission };
}

const malformed = (what: string): S3Error =>
  new S3Error("MalformedACLError", `The AccessControlPolicy cannot be used. ${what}`);
