import { z } from "zod";
import { extraTool, tool } from "../../../operation/tool";
import { createBucket } from "./create-bucket";
import { deleteObject } from "./delete-object";
import { ShortLifecycleRules } from "./lifecycle-rules";
import { listBuckets } from "./list-buckets";
import { listDefaultObjects, listObjects } from "./list-objects";
import { PresignObject, presignObject } from "./presign-object";

const KEYS_MAX = 1000;
const without = ["mode", "project"];
const presignNotes = {
  bucket: "Default: the project's default bucket",
  key: "",
  expires_in: "Seconds",
  content_type: "put_object: the Content-Type that the request must have",
  content_length: "put_object: exactly this many bytes",
  content_length_min: "",
  content_length_max: "",
  version_id: "get_object: default the latest",
  response_content_disposition: 'get_object: such as `attachment; filename="a.pdf"`',
};
const bucketNotes = {
  name: "Unique in this installation, by the rules of S3",
  versioning: "on keeps replaced and deleted objects",
  object_lock: "Versions can be kept from being deleted; it cannot be removed",
  "object_lock.default_retention": "",
  tier: "Of new objects; those in archive are restored before they are read",
  "cors_rules.*.allowed_origins": "Such as `https://*.example.com`",
  "cors_rules.*.allowed_headers": "`*`: any",
  "cors_rules.*.max_age_seconds": "",
  "lifecycle_rules.*.prefix": "",
  "lifecycle_rules.*.expire_noncurrent_days": "Older versions, after they were replaced",
  "lifecycle_rules.*.expire_days": "",
  "lifecycle_rules.*.abort_upload_days": "",
  "lifecycle_rules.*.transitions": "Only to a colder class",
};
const operation = PresignObject.shape.operation.default("get_object");

export const storageTools = [
  tool("svc_storage_list prefix:s max_keys:i", listDefaultObjects, {
    fields: {
      max_keys: z.int().min(1).max(KEYS_MAX).optional().describe("At most so many objects, 1 to 1000; default 100"),
    },
    toInput: ({ prefix, max_keys: limit }) => ({ prefix, limit }),
    description:
      "Lists objects of the project's default bucket in the order of their keys. For other buckets use svc_storage_objects_list.",
  }),
  tool("svc_storage_presign key*:s operation:s expires_in:i", presignObject, {
    fields: { operation },
    toInput: ({ operation: asked = "get_object", ...rest }) => ({ ...rest, operation: asked }),
    isReadOnly: false,
    description:
      "Returns a URL with which anyone can store or read one object of the project's default bucket until it expires: send `method` to `url` with exactly `headers`. For other buckets use svc_storage_objects_presign.",
    notes: presignNotes,
  }),
  extraTool("svc_storage_buckets_create", createBucket, {
    without: [...without, "acl", "object_ownership"],
    fields: { lifecycle_rules: ShortLifecycleRules.optional() },
    notes: bucketNotes,
  }),
  extraTool("svc_storage_buckets_list", listBuckets, { without }),
  extraTool("svc_storage_objects_list", listObjects),
  extraTool("svc_storage_objects_presign", presignObject, { without, notes: presignNotes, isReadOnly: false }),
  extraTool("svc_storage_objects_delete", deleteObject, { without: ["bypass_governance_retention"] }),
];
