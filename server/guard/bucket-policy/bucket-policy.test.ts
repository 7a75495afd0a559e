import { describe, expect, it } from "vitest";
import { decideByPolicy, isPublicPolicy } from "./decide-policy";
import { PolicyError } from "./policy-error";
import { readPolicy } from "./read-policy";
import { matchesWildcard } from "./wildcard";

const TENANT = `ten_${"1".repeat(26)}`;
const KEY = `key_${"2".repeat(26)}`;
const OBJECTS = "arn:aws:s3:::shop/*";

const policyOf = (...statements: object[]): string => JSON.stringify({ Version: "2012-10-17", Statement: statements });
const allow = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: OBJECTS };

interface Asked {
  action?: string;
  resource?: string;
  principals?: string[];
  values?: Record<string, string[]>;
}

const decide = (text: string, asked: Asked = {}) => {
  const { action = "s3:GetObject", resource = "shop/a/b.txt", principals = [], values = {} } = asked;
  return decideByPolicy(readPolicy(text, "shop"), { action, resource, principals, valuesOf: (key) => values[key] });
};

describe("a bucket policy", () => {
  it.each<[string, object[], Asked, "allow" | "deny" | "none"]>([
    ["allows everyone", [allow], {}, "allow"],
    ["is about its actions", [allow], { action: "s3:PutObject" }, "none"],
    ["ignores the case of actions", [{ ...allow, Action: "S3:getobject" }], {}, "allow"],
    ["has wildcards in actions", [{ ...allow, Action: ["s3:Get*"] }], { action: "s3:GetObjectVersion" }, "allow"],
    ["has every action but some", [{ ...allow, Action: undefined, NotAction: "s3:Delete*" }], {}, "allow"],
    [
      "leaves out those",
      [{ ...allow, Action: undefined, NotAction: "s3:Delete*" }],
      { action: "s3:DeleteObject" },
      "none",
    ],
    ["distinguishes the bucket from its objects", [allow], { resource: "shop" }, "none"],
    ["is about its keys", [{ ...allow, Resource: "arn:aws:s3:::shop/public/*" }], {}, "none"],
    ["takes the case of keys as it is", [{ ...allow, Resource: "arn:aws:s3:::shop/A/*" }], {}, "none"],
    ["denies what another statement allows", [allow, { ...allow, Effect: "Deny" }], {}, "deny"],
    [
      "is about a tenant",
      [{ ...allow, Principal: { AWS: `arn:aws:iam::${TENANT}:root` } }],
      { principals: [TENANT] },
      "allow",
    ],
    ["is about a tenant only", [{ ...allow, Principal: { AWS: [TENANT] } }], {}, "none"],
    [
      "is about an API key",
      [{ ...allow, Principal: { AWS: `arn:aws:iam::${TENANT}:user/${KEY}` } }],
      { principals: [TENANT, KEY] },
      "allow",
    ],
    [
      "does not take an API key for its tenant",
      [{ ...allow, Principal: { AWS: `arn:aws:iam::${TENANT}:user/${KEY}` } }],
      { principals: [TENANT] },
      "none",
    ],
    [
      "is about everyone but a key of a tenant",
      [{ ...allow, Effect: "Deny", Principal: undefined, NotPrincipal: { AWS: [TENANT, KEY] } }],
      { principals: [TENANT, KEY] },
      "none",
    ],
    [
      "is about the other keys of a tenant that NotPrincipal names",
      [{ ...allow, Effect: "Deny", Principal: undefined, NotPrincipal: { AWS: [TENANT, KEY] } }],
      { principals: [TENANT, `key_${"3".repeat(26)}`] },
      "deny",
    ],
    [
      "is about nobody with NotPrincipal, as long as that is not the sender",
      [{ ...allow, Effect: "Deny", Principal: undefined, NotPrincipal: { AWS: [TENANT] } }],
      {},
      "deny",
    ],
    ["takes a canonical user", [{ ...allow, Principal: { CanonicalUser: TENANT } }], { principals: [TENANT] }, "allow"],
  ])("%s", (_, statements, ...[asked, expected]) => {
    expect(decide(policyOf(...statements), asked)).toBe(expected);
  });

  it.each<[string, object, Record<string, string[]>, boolean]>([
    ["an equal text", { StringEquals: { "s3:prefix": ["a/", "b/"] } }, { "s3:prefix": ["b/"] }, true],
    ["another text", { StringEquals: { "s3:prefix": "a/" } }, { "s3:prefix": ["b/"] }, false],
    ["an absent text", { StringEquals: { "s3:prefix": "a/" } }, {}, false],
    ["an absent text, if it exists", { StringEqualsIfExists: { "s3:prefix": "a/" } }, {}, true],
    ["an absent text that must differ", { StringNotEquals: { "s3:x-amz-server-side-encryption": "AES256" } }, {}, true],
    [
      "a text that must differ from all",
      { StringNotEquals: { "s3:prefix": ["a", "b"] } },
      { "s3:prefix": ["b"] },
      false,
    ],
    [
      "a wildcard",
      { StringLike: { "aws:Referer": "https://*.example.com/*" } },
      { "aws:referer": ["https://a.example.com/x"] },
      true,
    ],
    [
      "a wildcard that must not fit",
      { StringNotLike: { "s3:x-amz-acl": "public*" } },
      { "s3:x-amz-acl": ["public-read"] },
      false,
    ],
    ["the case of a key", { StringEqualsIgnoreCase: { "S3:Prefix": "A/" } }, { "s3:prefix": ["a/"] }, true],
    [
      "an address",
      { IpAddress: { "aws:SourceIp": ["203.0.113.0/24", "2001:db8::/32"] } },
      { "aws:sourceip": ["2001:db8::7"] },
      true,
    ],
    [
      "an address outside",
      { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      { "aws:sourceip": ["203.0.114.1"] },
      false,
    ],
    [
      "an address that must be outside",
      { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      { "aws:sourceip": ["203.0.113.9"] },
      false,
    ],
    [
      "a mapped address",
      { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      { "aws:sourceip": ["::ffff:203.0.113.9"] },
      true,
    ],
    ["a Boolean", { Bool: { "aws:SecureTransport": false } }, { "aws:securetransport": ["false"] }, true],
    ["a number", { NumericLessThanEquals: { "s3:max-keys": 10 } }, { "s3:max-keys": ["10"] }, true],
    ["a greater number", { NumericLessThan: { "s3:max-keys": "10" } }, { "s3:max-keys": ["10"] }, false],
    ["no number", { NumericGreaterThan: { "s3:max-keys": "10" } }, { "s3:max-keys": ["1e9"] }, false],
    [
      "an earlier time",
      { DateLessThan: { "aws:CurrentTime": "2027-01-01T00:00:00Z" } },
      { "aws:currenttime": ["2026-12-31T23:59:59Z"] },
      true,
    ],
    [
      "seconds since 1970",
      { DateGreaterThan: { "aws:EpochTime": "1700000000" } },
      { "aws:epochtime": ["1700000001"] },
      true,
    ],
    ["absence", { Null: { "s3:x-amz-server-side-encryption": "true" } }, {}, true],
    [
      "presence",
      { Null: { "s3:x-amz-server-side-encryption": "true" } },
      { "s3:x-amz-server-side-encryption": ["AES256"] },
      false,
    ],
    [
      "a tag, whose case matters",
      { StringEquals: { "s3:ExistingObjectTag/Team": "a" } },
      { "s3:existingobjecttag/Team": ["a"] },
      true,
    ],
    [
      "all values",
      { "ForAllValues:StringEquals": { "s3:RequestObjectTagKeys": ["a", "b"] } },
      { "s3:requestobjecttagkeys": ["a", "c"] },
      false,
    ],
    [
      "any value",
      { "ForAnyValue:StringEquals": { "s3:RequestObjectTagKeys": ["a", "b"] } },
      { "s3:requestobjecttagkeys": ["a", "c"] },
      true,
    ],
    [
      "every condition",
      { Bool: { "aws:SecureTransport": "true" }, StringEquals: { "s3:prefix": "a" } },
      { "s3:prefix": ["a"] },
      false,
    ],
  ])("has a condition on %s", (_, condition, ...[values, isMet]) => {
    expect(decide(policyOf({ ...allow, Condition: condition }), { values })).toBe(isMet ? "allow" : "none");
  });

  it.each<[string, string, RegExp]>([
    ["no JSON", "{", /valid JSON/],
    ["a list", "[]", /JSON object/],
    ["another version", JSON.stringify({ Version: "2020-01-01", Statement: [allow] }), /Version/],
    ["no statement", JSON.stringify({ Version: "2012-10-17", Statement: [] }), /Statement/],
    ["another element", JSON.stringify({ Statement: [allow], Statements: [] }), /"Statements"/],
    ["another element of a statement", policyOf({ ...allow, Resources: "*" }), /"Resources"/],
    ["no effect", policyOf({ ...allow, Effect: "allow" }), /Effect/],
    ["NotPrincipal for everyone", policyOf({ ...allow, Principal: undefined, NotPrincipal: "*" }), /NotPrincipal/],
    ["both kinds of principals", policyOf({ ...allow, NotPrincipal: TENANT }), /either Principal or NotPrincipal/],
    ["no principal", policyOf({ ...allow, Principal: undefined }), /Principal/],
    ["a service", policyOf({ ...allow, Principal: { Service: "logging.s3.amazonaws.com" } }), /"Service"/],
    ["an account of AWS", policyOf({ ...allow, Principal: { AWS: "111122223333" } }), /id of a tenant/],
    ["both kinds of actions", policyOf({ ...allow, NotAction: "s3:*" }), /either Action or NotAction/],
    ["an unknown action", policyOf({ ...allow, Action: "s3:ReadObject" }), /no action of S3/],
    ["an action of another service", policyOf({ ...allow, Action: "iam:*" }), /no action of S3/],
    ["another bucket", policyOf({ ...allow, Resource: "arn:aws:s3:::other/*" }), /arn:aws:s3:::shop/],
    ["no ARN", policyOf({ ...allow, Resource: "*" }), /arn:aws:s3:::shop/],
    ["a variable", policyOf({ ...allow, Resource: "arn:aws:s3:::shop/$" + "{aws:username}/*" }), /variables/],
    [
      "an unknown operator",
      policyOf({ ...allow, Condition: { StringMatches: { "s3:prefix": "a" } } }),
      /StringMatches/,
    ],
    [
      "a name of every object as an operator",
      policyOf({ ...allow, Condition: { constructor: { "s3:prefix": "a" } } }),
      /constructor/,
    ],
    ["an unknown key", policyOf({ ...allow, Condition: { StringEquals: { "aws:SourceVpc": "a" } } }), /aws:SourceVpc/],
    ["no network", policyOf({ ...allow, Condition: { IpAddress: { "aws:SourceIp": "10/8" } } }), /network/],
    ["no number", policyOf({ ...allow, Condition: { NumericEquals: { "s3:max-keys": "ten" } } }), /number/],
    ["a nested value", policyOf({ ...allow, Condition: { StringEquals: { "s3:prefix": [["a"]] } } }), /list of texts/],
    ["too many bytes", policyOf({ ...allow, Sid: "é".repeat(10_240) }), /20480 bytes/],
  ])("with %s is rejected with a sentence", (_, text, message) => {
    expect(() => readPolicy(text, "shop")).toThrow(PolicyError);
    expect(() => readPolicy(text, "shop")).toThrow(message);
  });

  it.each<[string, object, boolean]>([
    ["for everyone", allow, true],
    ["for everyone in a network", { ...allow, Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/32" } } }, false],
    ["for everyone in every network", { ...allow, Condition: { IpAddress: { "aws:SourceIp": "0.0.0.0/0" } } }, true],
    ["for everyone with a referer", { ...allow, Condition: { StringLike: { "aws:Referer": "https://a/*" } } }, true],
    ["for a tenant", { ...allow, Principal: { AWS: TENANT } }, false],
    ["for everyone but a tenant", { ...allow, Principal: undefined, NotPrincipal: { AWS: TENANT } }, true],
    ["that denies", { ...allow, Effect: "Deny" }, false],
  ])("%s is public or not", (_, statement, isPublic) => {
    expect(isPublicPolicy(readPolicy(policyOf(statement), "shop"))).toBe(isPublic);
  });
});

it.each<[string, string, boolean]>([
  ["a*c", "abc", true],
  ["a*c", "ac", true],
  ["ab*bc", "abc", false],
  ["*a*b*", "xxaxxbxx", true],
  ["*aab*", "aaab", true],
  ["*abcabd*", "abcabcabd", true],
  ["a*b*a", "aba", true],
  ["*", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
])("the wildcard %s takes %s: %s", (pattern, text, expected) => {
  expect(matchesWildcard(pattern, text)).toBe(expected);
});

it("a hostile wildcard takes a number of steps in proportion to its length", () => {
  let steps = 0;
  const counted = new Proxy(new String("a".repeat(20_000)), {
    get: (text, name) => {
      if (typeof name === "string" && /^\d+$/.test(name)) steps++;
      const value = Reflect.get(text, name);
      return typeof value === "function" ? value.bind(text) : value;
    },
  });
  expect(matchesWildcard(`*${"a".repeat(1000)}b*`, counted as unknown as string)).toBe(false);
  expect(steps).toBeLessThan(100_000);
});
