import { describe, expect, it } from "vitest";
import { askedGrants } from "./asked-grants";

const [OWNER, BUCKET] = ["ten_writer", "ten_bucket"];
const asked = (headers: Record<string, string>, of: "bucket" | "object" = "object") =>
  askedGrants(new Map(Object.entries(headers)), { of, owner: OWNER, bucketOwner: BUCKET });
const shown = (grants: ReturnType<typeof asked>) =>
  grants?.map(({ grantee, permission }) => `${grantee} ${permission}`);
const OWNED = `${OWNER} full_control`;

describe("the access list that headers ask for", () => {
  it("is none without one of them", () => {
    expect(asked({ "x-amz-storage-class": "STANDARD" })).toBeUndefined();
  });

  it.each<[string, string[]]>([
    ["private", []],
    ["public-read", ["all_users read"]],
    ["public-read-write", ["all_users read", "all_users write"]],
    ["authenticated-read", ["authenticated_users read"]],
    ["bucket-owner-read", [`${BUCKET} read`]],
    ["bucket-owner-full-control", [`${BUCKET} full_control`]],
  ])("%s grants everything to the owner, and what it says", (acl, more) => {
    expect(shown(asked({ "x-amz-acl": acl }))).toEqual([OWNED, ...more]);
  });

  it("grants a bucket's owner nothing twice", () => {
    const own = askedGrants(new Map([["x-amz-acl", "bucket-owner-read"]]), {
      of: "object",
      owner: OWNER,
      bucketOwner: OWNER,
    });
    expect(shown(own)).toEqual([OWNED]);
  });

  it("has a grant for each grantee of each header, with and without quotes", () => {
    const grants = asked({
      "x-amz-grant-read": ' ID="a,b" , uri=http://acs.amazonaws.com/groups/global/AllUsers,id=c ',
      "x-amz-grant-write-acp": 'id="d"',
    });
    expect(shown(grants)).toEqual(["a,b read", "all_users read", "c read", "d write_acp"]);
    expect(asked({ "x-amz-grant-read": "" })).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["both kinds", { "x-amz-acl": "private", "x-amz-grant-read": "id=a" }, "InvalidRequest"],
    ["a list for a service", { "x-amz-acl": "aws-exec-read" }, "NotImplemented"],
    ["an unknown list", { "x-amz-acl": "toString" }, "InvalidArgument"],
    ["an open quote", { "x-amz-grant-read": 'id="a' }, "InvalidArgument"],
    ["an address", { "x-amz-grant-read": "emailAddress=a@example.com" }, "UnresolvableGrantByEmailAddress"],
    ["an unknown kind", { "x-amz-grant-read": "name=a" }, "InvalidArgument"],
    ["a group as an id", { "x-amz-grant-read": "id=all_users" }, "InvalidArgument"],
  ])("is refused with %s", (_, headers, code) => {
    expect(() => asked(headers)).toThrow(expect.objectContaining({ code }));
  });

  it("of a bucket cannot be one of objects", () => {
    expect(() => asked({ "x-amz-acl": "bucket-owner-read" }, "bucket")).toThrow(
      expect.objectContaining({ code: "InvalidArgument" }),
    );
  });
});
