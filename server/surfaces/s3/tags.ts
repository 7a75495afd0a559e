import type { ObjectExtras, ObjectTags } from "../../cloud/data/objects/objects";
import { decodeText, encodeText } from "./percent-encoding";
import { childrenOf, type XmlElement } from "./read-xml";
import { S3Error } from "./s3-error";
import { tag, xmlDocument } from "./write-xml";

/** From "Categorizing your objects using tags", and of buckets from "Using cost allocation S3 bucket tags". */
const TAGS_MAX = { object: 10, bucket: 50 } as const;
const KEY_LENGTH_MAX = 128;
const VALUE_LENGTH_MAX = 256;
/** Letters, digits and blanks of any script, and these marks. */
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** The tags in a `Tagging` document. Throws `MalformedXML` and `InvalidTag`. */
export function tagsOf(document: XmlElement, of: keyof typeof TAGS_MAX): ObjectTags {
  const [set, ...others] = childrenOf(document, "TagSet");
  if (!set || others.length > 0) throw new S3Error("MalformedXML", "A Tagging has one TagSet.");
  const text = (element: XmlElement, name: string) => childrenOf(element, name)[0]?.text;
  const tags = childrenOf(set, "Tag").map((element) => {
    const [key, value] = [text(element, "Key"), text(element, "Value")];
    if (key === undefined || value === undefined) throw new S3Error("MalformedXML", "Each Tag has a Key and a Value.");
    return [key, value] as const;
  });
  return checkedTags(tags, of);
}

/** The tags of a header `x-amz-tagging`, which is written as a query. Throws `InvalidArgument` and `InvalidTag`. */
export function headerTags(header: string | undefined): ObjectExtras {
  if (header === undefined) return {};
  const tags = header
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      const decoded = (text: string) => decodeText(text.replaceAll("+", " "));
      const key = decoded(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? "" : decoded(pair.slice(equals + 1));
      if (key === undefined || value === undefined) {
        throw new S3Error("InvalidArgument", "x-amz-tagging must be key=value pairs joined by &, percent-encoded.");
      }
      return [key, value] as const;
    });
  return tags.length === 0 ? {} : { tags: checkedTags(tags, "object") };
}

/** The value of `x-amz-tagging` for tags. */
export const taggingHeader = (tags: ObjectTags): string =>
  tags.map(([key, value]) => `${encodeText(key)}=${encodeText(value)}`).join("&");

function checkedTags(tags: ObjectTags, of: keyof typeof TAGS_MAX): ObjectTags {
  const max = TAGS_MAX[of];
  if (tags.length > max) throw invalidTag(`This ${of} can have at most ${max} tags.`);
  if (new Set(tags.map(([key]) => key)).size < tags.length) throw invalidTag("The keys of tags must be different.");
  for (const [key, value] of tags) {
    if (key === "" || key.length > KEY_LENGTH_MAX) throw invalidTag(`A key has 1 to ${KEY_LENGTH_MAX} characters.`);
    if (value.length > VALUE_LENGTH_MAX) throw invalidTag(`A value has at most ${VALUE_LENGTH_MAX} characters.`);
    if (!ALLOWED.test(key) || !ALLOWED.test(value)) {
      throw invalidTag("Keys and values have letters, digits, blanks and _ . : / = + - @ only.");
    }
    if (/^aws:/i.test(key)) throw invalidTag("Keys that begin with aws: are reserved.");
  }
  return tags;
}

const invalidTag = (message: string): S3Error => new S3Error("InvalidTag", message);

/** The document that lists tags. */
export const taggingDocument = (tags: ObjectTags): string =>
  xmlDocument(
    "Tagging",
    tag(
      "TagSet",
      tags.map(([key, value]) => tag("Tag", tag("Key", key), tag("Value", value))),
    ),
  );

/** How many tags an object has, without saying which. */
export const tagCountHeader = ({ tags }: ObjectExtras): Record<string, string> =>
  tags ? { "x-amz-tagging-count": String(tags.length) } : {};
