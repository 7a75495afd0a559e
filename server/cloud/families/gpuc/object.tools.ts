import type { Tool } from "../../../operation/tool";
import { creationTool, deletionTool, listTool } from "../../core/resources/resource-tools";
import { BucketSpec } from "./bucket-kind";

export const objectTools: readonly Tool[] = [
  creationTool(
    "gpuc_object_create name*:s tier:s lifecycle_days_to_warm:i lifecycle_days_to_cold:i lifecycle_days_to_archive:i",
    {
      ...{ service: "object", spec: BucketSpec },
      description:
        "Creates a bucket of object storage whose objects may move to colder, cheaper storage classes by age. observed.bucket is its name for svc_storage_objects_list and S3 clients.",
    },
  ),
  listTool("gpuc_object_list", "object"),
  deletionTool("gpuc_object_delete bucket_id*:s", "object"),
];
