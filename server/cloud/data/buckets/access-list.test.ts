import { describe, expect, it } from "vitest";
import type { Actor } from "../../../operation/actor";
import type { Grant, Permission } from "../objects/object-access";
import {
  type BucketCaller,
  bucketGives,
  bucketGrants,
  hasPublicList,
  type Listed,
  objectAccess,
  objectGives,
} from "./access-list";

const [OWNER, FRIEND] = ["ten_owner", "ten_friend"];
const bucketWith = (acl: readonly Grant[] | null, more: Partial<Listed> = {}): Listed => ({
  tenantId: OWNER,
  acl: acl as Listed["acl"],
  publicRead: false,
  publicAccessBlock: null,
  objectOwnership: "ObjectWriter",
  ...more,
});
const callerOf = (tenantId: string, isOwn: boolean): BucketCaller => ({
  isOwn,
  actor: { kind: "key", keyId: "key", tenantId, projectId: "prj", mode: "live", scopes: new Set() } satisfies Actor,
});
const [own, friend, elsewhere] = [callerOf(OWNER, true), callerOf(FRIEND, false), callerOf(OWNER, false)];
const anonymous: BucketCaller = { isOwn: false };
const grant = (grantee: string, permission: Permission): Grant => ({ grantee, permission });
const ALL: readonly Permission[] = ["read", "write", "read_acp", "write_acp"];
const given = (bucket: Listed, caller: BucketCaller) =>
  ALL.filter((permission) => bucketGives(bucket, permission, caller));

describe("the list of a bucket", () => {
  it("gives everything to its own callers alone, if there is none", () => {
    const bucket = bucketWith(null);
    expect(given(bucket, own)).toEqual(ALL);
    for (const caller of [friend, elsewhere, anonymous]) expect(given(bucket, caller)).toEqual([]);
  });

  it("gives what it says to the tenants that it names, and to its own callers the list itself at least", () => {
    const bucket = bucketWith([grant(FRIEND, "write"), grant(OWNER, "read")]);
    expect(given(bucket, friend)).toEqual(["write"]);
    expect(given(bucket, own)).toEqual(["read", "read_acp", "write_acp"]);
    expect(given(bucket, elsewhere)).toEqual([]);
  });

  it("lets no anonymous caller replace it", () => {
    const bucket = bucketWith([grant("all_users", "full_control")]);
    expect(given(bucket, anonymous)).toEqual(["read", "write", "read_acp"]);
    expect(given(bucket, friend)).toEqual(ALL);
    const signed = bucketWith([grant("authenticated_users", "read")]);
    expect([given(signed, anonymous), given(signed, elsewhere)]).toEqual([[], ["read"]]);
  });

  it.each(["ignore_public_acls", "restrict_public_buckets"])("gives nothing to groups with %s", (setting) => {
    const bucket = bucketWith([grant("all_users", "read"), grant(FRIEND, "write")], {
      publicAccessBlock: { [setting]: true },
    });
    expect([given(bucket, anonymous), given(bucket, friend)]).toEqual([[], ["write"]]);
    expect([hasPublicList(bucket), hasPublicList({ ...bucket, publicAccessBlock: null })]).toEqual([false, true]);
  });

  it("shows public_read, which gives no list of objects", () => {
    const bucket = bucketWith(null, { publicRead: true });
    expect(bucketGrants(bucket)).toEqual([grant(OWNER, "full_control"), grant("all_users", "read")]);
    expect(given(bucket, anonymous)).toEqual([]);
  });

  it("has no effect where its owner enforces ownership", () => {
    const bucket = bucketWith([grant("all_users", "read")], { objectOwnership: "BucketOwnerEnforced" });
    expect([given(bucket, anonymous), given(bucket, own)]).toEqual([[], ALL]);
  });
});

describe("the list of an object", () => {
  const access = { owner: FRIEND, grants: [grant("all_users", "read")] };
  const may = (bucket: Listed, version: Parameters<typeof objectGives>[1], caller: BucketCaller) =>
    ALL.filter((permission) => objectGives(bucket, version, { permission, caller }));

  it("is that of its owner, who can always read and set it", () => {
    const bucket = bucketWith(null);
    expect(may(bucket, { access }, friend)).toEqual(["read", "read_acp", "write_acp"]);
    expect(may(bucket, { access }, own)).toEqual(["read"]);
    expect(may(bucket, { access }, anonymous)).toEqual(["read"]);
    expect(may(bucket, { access: { owner: FRIEND, grants: [] } }, own)).toEqual([]);
  });

  it("follows public_read where there is none", () => {
    expect(may(bucketWith(null), {}, anonymous)).toEqual([]);
    expect(may(bucketWith(null, { publicRead: true }), {}, anonymous)).toEqual(["read"]);
    const closed = { access: { owner: OWNER, grants: [] } };
    expect(may(bucketWith(null, { publicRead: true }), closed, anonymous)).toEqual([]);
  });

  it("is the bucket's where its owner enforces ownership", () => {
    const bucket = bucketWith(null, { objectOwnership: "BucketOwnerEnforced" });
    expect(objectAccess(bucket, { access })).toEqual({ owner: OWNER, grants: [grant(OWNER, "full_control")] });
    expect([may(bucket, { access }, friend), may(bucket, { access }, own)]).toEqual([[], ALL]);
  });
});
