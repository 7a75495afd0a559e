import type { ListOptions } from "../../cloud/data/objects/objects";
import { encodePath } from "./percent-encoding";
import { S3Error } from "./s3-error";
import type { S3Query } from "./s3-query";
import { optionalTag, tag, type Xml } from "./write-xml";

const ENTRIES_MAX = 1000;

/** The parameters that all lists of keys have. */
export interface ListParameters {
  prefix: string;
  /** Undefined if none was sent, or an empty one. */
  delimiter: string | undefined;
  /** Entries of the page, 0 to 1000. */
  limit: number;
  /** Encodes a key or prefix if the client asked for it, since XML cannot have every character. */
  shown: (text: string) => string;
  encoding: "url" | undefined;
}

/** `countName`: the parameter that limits the page. Throws `InvalidArgument`. */
export function listParametersOf(query: S3Query, countName: "max-keys" | "max-uploads"): ListParameters {
  const encoding = query.get("encoding-type");
  if (encoding !== undefined && encoding !== "url") {
    throw new S3Error("InvalidArgument", "encoding-type must be url.");
  }
  return {
    prefix: query.get("prefix") ?? "",
    delimiter: query.get("delimiter") || undefined,
    limit: countOf(query, countName, { byDefault: ENTRIES_MAX, max: ENTRIES_MAX }),
    shown: encoding === "url" ? encodePath : (text) => text,
    encoding,
  };
}

/** A whole number from 0, of a query or of headers; more than `max` counts as `max`. Throws `InvalidArgument`. */
export function countOf(
  sent: { get(name: string): string | undefined },
  name: string,
  { byDefault, max }: { byDefault: number; max: number },
): number {
  const text = sent.get(name);
  if (text === undefined || text === "") return byDefault;
  if (/^\d{1,10}$/.test(text)) return Math.min(max, Number(text));
  throw new S3Error("InvalidArgument", `${name} must be a whole number from 0.`, {
    elements: [tag("ArgumentName", name), tag("ArgumentValue", text.slice(0, 100))],
  });
}

export const optionsOf = ({ prefix, delimiter, limit }: ListParameters, after: string | undefined): ListOptions => ({
  prefix,
  limit,
  ...(delimiter !== undefined && { delimiter }),
  ...(after && { after }),
});

/** The elements that all lists begin with. */
export const listTags = ({ prefix, delimiter, encoding, shown }: ListParameters): Xml[] => [
  tag("Prefix", shown(prefix)),
  ...optionalTag("Delimiter", delimiter === undefined ? undefined : shown(delimiter)),
  ...optionalTag("EncodingType", encoding),
];

export const prefixTags = (prefixes: readonly string[], { shown }: ListParameters): Xml[] =>
  prefixes.map((prefix) => tag("CommonPrefixes", tag("Prefix", shown(prefix))));
