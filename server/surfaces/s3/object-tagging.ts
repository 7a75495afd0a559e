import type { ObjectTags, VersionChoice } from "../../cloud/data/objects/objects";
import { versionIdHeader } from "./object-fields";
import type { ObjectCall, S3Call, S3Operation } from "./s3-call";
import { taggingDocument, taggingHeader, tagsOf } from "./tags";
import { readDocument } from "./xml-body";

const choiceOf = ({ key, request }: ObjectCall): VersionChoice => {
  const versionId = request.query.get("versionId");
  return { key, ...(versionId !== undefined && { versionId }) };
};

const tagsIn = async (call: S3Call): Promise<ObjectTags> => tagsOf(await readDocument(call, "Tagging"), "object");

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
  withBodyFacts: async (call) => {
    const headers = new Map(call.request.headers).set("x-amz-tagging", taggingHeader(await tagsIn(call)));
    return { ...call, request: { ...call.request, headers } };
  },
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
