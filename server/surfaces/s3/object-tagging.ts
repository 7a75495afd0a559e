import type { ObjectTags, VersionChoice } from "../../cloud/data/objects/objects";
import { versionIdHeader } from "./object-fields";
import type { ObjectCall, S3Call, S3Operation } from "./s3-call";
import { taggingDocument, tagsOf } from "./tags";
import { readDocument } from "./xml-body";

const choiceOf = ({ key, request }: ObjectCall): VersionChoice => {
  const versionId = request.query.get("versionId");
  return { key, ...(versionId !== undefined && { versionId }) };
};

const READ = new WeakMap<object, Promise<ObjectTags>>();

/** The tags in the body of a request, which can be read once only. */
function tagsIn(call: S3Call): Promise<ObjectTags> {
  const { incoming } = call.request;
  const known = READ.get(incoming);
  if (known) return known;
  const reading = readDocument(call, "Tagging").then((document) => tagsOf(document, "object"));
  READ.set(incoming, reading);
  return reading;
}

export const getObjectTagging: S3Operation<ObjectCall> = {
  name: "GetObjectTagging",
  access: "storage:read",
  run: async (call) => {
    const { version } = await call.cloud.objects.read(call.bucket, choiceOf(call));
    return { headers: versionIdHeader(call.bucket, version), body: taggingDocument(version.tags ?? []) };
  },
};

export const putObjectTagging: S3Operation<ObjectCall> = {
  name: "PutObjectTagging",
  access: "storage:write",
  requestTags: tagsIn,
  run: async (call) => {
    const tags = await tagsIn(call);
    const version = await call.cloud.objects.setTags(call.bucket, choiceOf(call), tags);
    return { headers: versionIdHeader(call.bucket, version) };
  },
};

export const deleteObjectTagging: S3Operation<ObjectCall> = {
  name: "DeleteObjectTagging",
  access: "storage:write",
  run: async (call) => {
    const version = await call.cloud.objects.setTags(call.bucket, choiceOf(call), []);
    return { status: 204, headers: versionIdHeader(call.bucket, version) };
  },
};
