import type { Family } from "../../core/kinds/family";
import { bucketKind } from "./bucket-kind";
import type { GpucParts } from "./gpuc-ctx";

/** Buckets of object storage. */
export const objectFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "object",
  label: "Object storage",
  summary: "Buckets with the S3 API.",
  meters: ["storage"],
  skus: [],
  kinds: { bucket: bucketKind(parts) },
  tools: {
    create: [
      {
        signature:
          "gpuc_object_create name*:s tier:s lifecycle_days_to_warm:i lifecycle_days_to_cold:i lifecycle_days_to_archive:i",
        about:
          "Creates a bucket of object storage whose objects may move to colder, cheaper storage classes by age. observed.bucket is its name for svc_storage_objects_list and S3 clients.",
      },
    ],
    list: { signature: "gpuc_object_list" },
    delete: "gpuc_object_delete bucket_id*:s",
  },
});
