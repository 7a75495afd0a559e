import type { TLSSocket } from "node:tls";
import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";
import type { ObjectTags } from "../../cloud/data/objects/objects";
import type { ConditionValues } from "../../guard/bucket-policy/policy-conditions";
import { COPY_SOURCE, parseSource } from "./copy-source";
import type { S3Call } from "./s3-call";
import { headerTags } from "./tags";

const DAY_MS = 24 * 60 * 60_000;
const LISTS = new Set(["ListObjects", "ListObjectsV2", "ListObjectVersions", "ListMultipartUploads"]);

interface Asked {
  operation: string;
  versionId: string | undefined;
  /** Of the object that the request names. */
  tags: ObjectTags;
}

type Values = Readonly<Record<string, (call: S3Call, bucket: BucketSettings, asked: Asked) => string | undefined>>;

/** What a request has for the keys of conditions. */
const VALUES: Values = {
  "aws:currenttime": ({ cloud }) => cloud.clock.now().toISOString(),
  "aws:epochtime": ({ cloud }) => String(Math.floor(cloud.clock.now().getTime() / 1000)),
  "aws:principalaccount": ({ caller }) => caller.actor?.tenantId,
  "aws:principaltype": ({ caller }) => (caller.actor ? "User" : "Anonymous"),
  "aws:referer": ({ request }) => request.headers.get("referer"),
  "aws:securetransport": (call) => String(isSecure(call)),
  "aws:sourceip": ({ request }) => request.meta.address,
  "aws:useragent": ({ request }) => request.headers.get("user-agent"),
  "aws:userid": ({ caller: { actor } }) => (actor?.kind === "key" ? actor.keyId : actor?.userId),
  "s3:authtype": ({ caller: { actor }, request }) =>
    actor && (request.headers.has("authorization") ? "REST-HEADER" : "REST-QUERY-STRING"),
  "s3:delimiter": ({ request }) => request.query.get("delimiter"),
  "s3:max-keys": ({ request }) => request.query.get("max-keys"),
  "s3:object-lock-legal-hold": ({ request }) => request.headers.get("x-amz-object-lock-legal-hold"),
  "s3:object-lock-mode": ({ request }) => request.headers.get("x-amz-object-lock-mode"),
  "s3:object-lock-remaining-retention-days": (call) => remainingDays(call),
  "s3:object-lock-retain-until-date": ({ request }) => request.headers.get("x-amz-object-lock-retain-until-date"),
  // A list without a prefix is one of all keys, whose prefix is empty.
  "s3:prefix": ({ request }, _, { operation }) =>
    LISTS.has(operation) ? (request.query.get("prefix") ?? "") : undefined,
  "s3:resourceaccount": (_, bucket) => bucket.tenantId,
  "s3:signatureage": ({ caller: { signature }, cloud }) =>
    signature && String(cloud.clock.now().getTime() - signature.signedAt.getTime()),
  "s3:signatureversion": ({ caller: { actor, signature } }) => actor && (signature ? "AWS4-HMAC-SHA256" : "AWS"),
  // However it was written: a policy must not fail to apply because of a slash or a percent sign.
  "s3:x-amz-copy-source": ({ request }) => {
    const header = request.headers.get(COPY_SOURCE);
    const source = header === undefined ? undefined : parseSource(header);
    return source && `${source.name}/${source.choice.key}`;
  },
  "s3:versionid": (_, __, { versionId }) => versionId,
};

/** The values of a request for the conditions of a policy. */
export const policyValues =
  (call: S3Call, bucket: BucketSettings, asked: Asked): ConditionValues =>
  (key) => {
    if (key === "s3:requestobjecttagkeys") return requestTags(call)?.map(([name]) => name);
    const value = Object.hasOwn(VALUES, key)
      ? VALUES[key]?.(call, bucket, asked)
      : (tagOf(call, key, asked) ?? headerOf(call, key));
    return value === undefined ? undefined : [value];
  };

const EXISTING = "s3:existingobjecttag/";
const REQUESTED = "s3:requestobjecttag/";

/** The value of a tag that the object has, or that the request has in its body or in `x-amz-tagging`. */
function tagOf(call: S3Call, key: string, asked: Asked): string | undefined {
  const [prefix, tags] = key.startsWith(EXISTING) ? [EXISTING, asked.tags] : [REQUESTED, requestTags(call) ?? []];
  return key.startsWith(prefix) ? tags.find(([name]) => name === key.slice(prefix.length))?.[1] : undefined;
}

const requestTags = ({ request }: S3Call): ObjectTags | undefined =>
  headerTags(request.headers.get("x-amz-tagging")).tags;

/** Keys such as `s3:x-amz-acl` are headers. */
const headerOf = ({ request }: S3Call, key: string): string | undefined =>
  key.startsWith("s3:x-amz-") ? request.headers.get(key.slice("s3:".length)) : undefined;

/** Over TLS to svc, or to a proxy that has the public address. */
const isSecure = ({ request, cloud }: S3Call): boolean =>
  (request.incoming.socket as Partial<TLSSocket>).encrypted === true || cloud.publicUrl.startsWith("https:");

function remainingDays({ request, cloud }: S3Call): string | undefined {
  const until = Date.parse(request.headers.get("x-amz-object-lock-retain-until-date") ?? "");
  if (Number.isNaN(until)) return undefined;
  return String(Math.ceil((until - cloud.clock.now().getTime()) / DAY_MS));
}
