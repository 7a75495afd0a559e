import { z } from "zod";
import { extraTool, tool } from "../../../operation/tool";
import { createBucket } from "./create-bucket";
import { deleteObject } from "./delete-object";
import { listBuckets } from "./list-buckets";
import { listDefaultObjects, listObjects } from "./list-objects";
import { PresignObject, presignObject } from "./presign-object";

const KEYS_MAX = 1000;
const without = ["mode", "project"];
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
      "Returns a URL of the project's default bucket with which anyone can store (put_object) or read (get_object) one object until it expires, without credentials: send `method` to `url` with exactly `headers`. For other buckets use svc_storage_objects_presign.",
  }),
  extraTool("svc_storage_buckets_create", createBucket, { without }),
  extraTool("svc_storage_buckets_list", listBuckets, { without }),
  extraTool("svc_storage_objects_list", listObjects),
  extraTool("svc_storage_objects_presign", presignObject, { without, isReadOnly: false }),
  extraTool("svc_storage_objects_delete", deleteObject),
];
