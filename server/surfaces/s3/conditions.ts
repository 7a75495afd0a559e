import type { ObjectVersion, WriteCondition } from "../../cloud/data/objects/objects";
import { S3Error } from "./s3-error";

type Headers = ReadonlyMap<string, string>;
type Stored = Pick<ObjectVersion, "etag" | "lastModified">;

/** The names of the four conditions: of reads, or those on the source of a copy. */
const NAMES = {
  read: {
    match: "if-match",
    noneMatch: "if-none-match",
    modified: "if-modified-since",
    unmodified: "if-unmodified-since",
  },
  copy: {
    match: "x-amz-copy-source-if-match",
    noneMatch: "x-amz-copy-source-if-none-match",
    modified: "x-amz-copy-source-if-modified-since",
    unmodified: "x-amz-copy-source-if-unmodified-since",
  },
} as const;

/**
 * What the conditions of a request say about a stored object. An ETag decides before a time, as in RFC 9110 and in
 * "GetObject" of the S3 API reference; times that cannot be read are ignored.
 */
export function evaluate(headers: Headers, stored: Stored, of: keyof typeof NAMES): "met" | "failed" | "not_modified" {
  const names = NAMES[of];
  const [match, noneMatch] = [headers.get(names.match), headers.get(names.noneMatch)];
  if (match !== undefined) {
    if (!namesEtag(match, stored.etag)) return "failed";
  } else if (isAfter(stored, timeOf(headers.get(names.unmodified)))) return "failed";
  if (noneMatch !== undefined) return namesEtag(noneMatch, stored.etag) ? "not_modified" : "met";
  const since = timeOf(headers.get(names.modified));
  return since !== undefined && !isAfter(stored, since) ? "not_modified" : "met";
}

export const preconditionFailed = (): S3Error =>
  new S3Error("PreconditionFailed", "At least one of the conditions of the request does not hold.");

/** The condition of a put or of a completed upload. */
export function writeConditionOf(headers: Headers): { condition?: WriteCondition } {
  const [match, noneMatch] = [headers.get("if-match"), headers.get("if-none-match")];
  if (match === undefined && noneMatch === undefined) return {};
  if (noneMatch !== undefined && noneMatch.trim() !== "*") {
    throw new S3Error("NotImplemented", "If-None-Match of a write must be *.");
  }
  return {
    condition: {
      ...(match !== undefined && { ifMatch: etagOf(match) }),
      ...(noneMatch !== undefined && { ifNoneMatch: "*" as const }),
    },
  };
}

/** The condition of a deletion: an ETag, a size, and the time of the last change to the second. */
export function deleteConditionOf({ etag, size, modified }: DeleteConditions): { condition?: WriteCondition } {
  if (etag === undefined && size === undefined && modified === undefined) return {};
  const time = modified === undefined ? undefined : Date.parse(modified);
  if (Number.isNaN(time)) throw new S3Error("InvalidArgument", "The time of the last change must be an HTTP date.");
  if (size !== undefined && !/^\d{1,15}$/.test(size.trim())) {
    throw new S3Error("InvalidArgument", "The size of the object must be a number of bytes.");
  }
  return {
    condition: {
      ...(etag !== undefined && { ifMatch: etagOf(etag) }),
      ...(size !== undefined && { ifSize: Number(size) }),
      ...(time !== undefined && { ifModifiedAt: Math.floor(time / 1000) }),
    },
  };
}

interface DeleteConditions {
  etag: string | undefined;
  size: string | undefined;
  modified: string | undefined;
}

/** Whether a range still applies: the ETag or time of If-Range is that of the object. */
export function isRangeCurrent(ifRange: string | undefined, stored: Stored): boolean {
  if (ifRange === undefined) return true;
  const time = timeOf(ifRange);
  return time === undefined ? etagOf(ifRange) === stored.etag : !isAfter(stored, time);
}

/** An ETag without quotes. */
export const etagOf = (text: string): string =>
  text
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1");

const namesEtag = (list: string, etag: string): boolean =>
  list.split(",").some((text) => ["*", etag].includes(etagOf(text)));

/** HTTP times have whole seconds. */
const isAfter = ({ lastModified }: Stored, time: number | undefined): boolean =>
  time !== undefined && Math.floor(lastModified.getTime() / 1000) * 1000 > time;

function timeOf(text: string | undefined): number | undefined {
  // An ETag that has digits only must not be taken for a year.
  const time = text?.includes(":") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
