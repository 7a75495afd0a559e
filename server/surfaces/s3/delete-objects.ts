import type { DeleteChoice, Deleted } from "../../cloud/data/objects/objects";
import { asS3Error } from "./as-s3-error";
import { accessDenied, bypassing, deletable } from "./assert-access";
import { deleteConditionOf } from "./conditions";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { optionalTag, tag, type Xml, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

const KEYS_MAX = 1000;
const KEY_BYTES_MAX = 1024;

export const deleteObjects: S3Operation<BucketCall> = {
  name: "DeleteObjects",
  access: "storage:write",
  run: async (call) => {
    const document = await readDocument(call, "Delete");
    const choices = childrenOf(document, "Object").map(choiceOf);
    if (choices.length === 0 || choices.length > KEYS_MAX) {
      throw new S3Error("MalformedXML", `A Delete has 1 to ${KEYS_MAX} objects.`);
    }
    await call.countElements(choices.length);
    const { allowed, denied } = await deletable(call, choices);
    const wanted = await bypassing(call, allowed);
    const deleted = wanted.length === 0 ? [] : await call.cloud.objects.delete(call.bucket, wanted);
    const isQuiet = textIn(document, "Quiet")?.toLowerCase() === "true";
    const tags = deleted.flatMap((each, i) => {
      const asked = allowed[i]?.versionId;
      if (each.failure) return errorTag(each.key, asked, each.failure);
      return isQuiet ? [] : deletedTag(each, asked);
    });
    const refused = denied.map(({ key, versionId }) => errorTag(key, versionId, accessDenied()));
    return { body: xmlDocument("DeleteResult", tags, refused) };
  },
};

const deletedTag = ({ key, versionId, isDeleteMarker }: Deleted, asked: string | undefined): Xml =>
  tag("Deleted", [
    tag("Key", key),
    ...optionalTag("VersionId", asked),
    ...(isDeleteMarker ? [tag("DeleteMarker", true), ...optionalTag("DeleteMarkerVersionId", versionId)] : []),
  ]);

function errorTag(key: string, asked: string | undefined, failure: unknown): Xml {
  const { code, message } = asS3Error(failure);
  return tag("Error", [
    tag("Key", key),
    ...optionalTag("VersionId", asked),
    tag("Code", code),
    tag("Message", message),
  ]);
}

function choiceOf(element: XmlElement): DeleteChoice {
  // A key may begin or end with spaces.
  const key = element.children.find(({ name }) => name === "Key")?.text ?? "";
  const versionId = textIn(element, "VersionId");
  if (key === "" || key.includes("\0")) throw new S3Error("MalformedXML", "Each Object must have a Key.");
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) {
    throw new S3Error("KeyTooLongError", `A key has at most ${KEY_BYTES_MAX} bytes of UTF-8.`);
  }
  const condition = deleteConditionOf({
    etag: textIn(element, "ETag"),
    size: textIn(element, "Size"),
    modified: textIn(element, "LastModifiedTime"),
  });
  return { key, ...(versionId && { versionId }), ...condition };
}
