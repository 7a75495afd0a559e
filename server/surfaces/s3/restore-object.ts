import { restoreObject as restore } from "../../cloud/data/buckets/restore-object";
import { versionIdHeader } from "./object-fields";
import { textIn } from "./read-xml";
import type { ObjectCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { readDocument } from "./xml-body";

export const restoreObject: S3Operation<ObjectCall> = {
  name: "RestoreObject",
  access: "storage:write",
  run: async (call) => {
    const { request, cloud, bucket, key } = call;
    const days = textIn(await readDocument(call, "RestoreRequest"), "Days") ?? "";
    if (!/^\d{1,9}$/.test(days)) throw new S3Error("MalformedXML", "Days of a RestoreRequest must be a whole number.");
    const versionId = request.query.get("versionId");
    const choice = { key, ...(versionId !== undefined && { versionId }) };
    const { version } = await cloud.objects.read(bucket, choice);
    await call.runOperation(restore, {
      bucket: bucket.name,
      key,
      days: Number(days),
      ...(versionId !== undefined && { version_id: versionId }),
    });
    const now = cloud.clock.now();
    const isReadable = version.restore !== undefined && version.restore.from <= now && now < version.restore.until;
    return { status: isReadable ? 200 : 202, headers: versionIdHeader(bucket, version) };
  },
};
