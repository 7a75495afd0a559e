import type { ObjectVersion } from "../../cloud/data/objects/objects";
import { type ByteRange, parseRange, partRange } from "./byte-range";
import { evaluate, isRangeCurrent, preconditionFailed } from "./conditions";
import { assertCustomerKey, assertNoEncryption, customerKeyOf, encryptionHeaders } from "./encryption-headers";
import { expirationHeader } from "./expiration";
import { lockHeaders } from "./lock-headers";
import { checksumHeaders, headerValue, versionHeaders } from "./object-fields";
import type { ObjectCall, S3Operation, S3Result } from "./s3-call";
import { S3Error } from "./s3-error";
import { restoreHeader } from "./storage-class";

/** Query parameters that replace a header of the response. */
const OVERRIDES = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
];
/** A stored page must not act as svc's own origin: it runs no scripts, and browsers keep to its declared type. */
const SAFE = { "content-security-policy": "sandbox", "x-content-type-options": "nosniff" };
/** What a browser would run in the page that asked; pages of svc never load scripts from buckets. */
const ACTIVE = ["script", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet"];
/** What a 304 response has, from RFC 9110 section 15.4.5. */
const NOT_MODIFIED = ["etag", "last-modified", "cache-control", "expires", "x-amz-version-id"];

const readAs = (name: string): S3Operation<ObjectCall> => ({
  name,
  access: "storage:read",
  run: readObject,
});

/** The body of a HEAD response is left out when it is sent. */
export const [getObject, headObject] = [readAs("GetObject"), readAs("HeadObject")];

async function readObject(call: ObjectCall): Promise<S3Result> {
  const { request, cloud, bucket, key, gate } = call;
  const { headers, query } = request;
  assertNoScript(headers);
  assertNoEncryption(headers);
  const versionId = query.get("versionId");
  const customerKey = customerKeyOf(headers);
  const choice = { key, customerKey, gate, ...(versionId !== undefined && { versionId }) };
  const { version, open } = await cloud.objects.read(bucket, choice);
  assertCustomerKey(version, customerKey);
  const ends = { ...expirationHeader(bucket, version), ...restoreHeader(version, cloud.clock.now()) };
  const further = { ...encryptionHeaders(version, customerKey), ...(await lockHeaders(call, version)) };
  const shown = { ...versionHeaders(bucket, version), ...ends, ...further, ...overridesOf(call), ...SAFE };
  const outcome = evaluate(headers, version, "read");
  if (outcome === "failed") throw preconditionFailed();
  if (outcome === "not_modified") {
    return {
      status: 304,
      headers: Object.fromEntries(Object.entries(shown).filter(([name]) => NOT_MODIFIED.includes(name))),
    };
  }
  const range = rangeOf(call, version);
  const { start, end } = range ?? { start: 0, end: version.size };
  return {
    status: range ? 206 : 200,
    headers: {
      ...shown,
      ...(version.partSizes && query.has("partNumber") && { "x-amz-mp-parts-count": String(version.partSizes.length) }),
      ...(range && { "content-range": `bytes ${start}-${end - 1}/${version.size}` }),
      ...(headers.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED" && shownChecksums(call, version, range)),
      "content-length": String(end - start),
    },
    body: open(range),
  };
}

/** The checksum of what is sent: that of the object, or of the part that was asked for; other ranges have none. */
function shownChecksums(
  { request: { query } }: ObjectCall,
  version: ObjectVersion,
  range: ByteRange | undefined,
): Record<string, string> {
  if (!range) return checksumHeaders(version);
  const [algorithm] = Object.keys(version.checksums);
  const checksum = version.partChecksums?.[Number(query.get("partNumber") ?? 0) - 1];
  if (algorithm === undefined || checksum === undefined) return {};
  return checksumHeaders({ checksums: { [algorithm]: checksum }, checksumType: version.checksumType });
}

function assertNoScript(headers: ReadonlyMap<string, string>): void {
  const isOwnPage = headers.get("sec-fetch-site") === "same-origin";
  if (!isOwnPage || !ACTIVE.includes(headers.get("sec-fetch-dest") ?? "")) return;
  throw new S3Error("AccessDenied", "Objects cannot be loaded as scripts by pages of the same origin.");
}

function overridesOf({ request: { query }, caller }: ObjectCall): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of OVERRIDES) {
    const value = query.get(`response-${name}`);
    if (value === undefined) continue;
    if (!caller.actor) {
      throw new S3Error("InvalidRequest", "Only signed requests can have response-* parameters.");
    }
    headers[name] = headerValue(`response-${name}`, value);
  }
  return headers;
}

function rangeOf({ request: { headers, query } }: ObjectCall, version: ObjectVersion): ByteRange | undefined {
  const [header, partNumber] = [headers.get("range"), query.get("partNumber")];
  if (partNumber === undefined) {
    return isRangeCurrent(headers.get("if-range"), version) ? parseRange(header, version.size) : undefined;
  }
  if (header !== undefined) throw new S3Error("InvalidRequest", "Send either Range or partNumber, not both.");
  const range = partRange(partNumber, version);
  return range.end > range.start ? range : undefined;
}
