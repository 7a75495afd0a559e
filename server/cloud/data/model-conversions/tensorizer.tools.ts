import type { Tool } from "../../../operation/tool";
import { creationTool, listTool } from "../../core/resources/resource-tools";
import { ConversionSpec } from "./conversion-spec";

export const tensorizerTools: readonly Tool[] = [
  creationTool("gpuc_tensorizer_create name*:s source_model*:s target_uri*:s dtype:s shards:i bytes_total:i sha256:s", {
    ...{ service: "tensorizer", spec: ConversionSpec },
    description:
      "Converts a safetensors model into shards in a bucket, in the background. observed.progress counts its bytes, and observed.files are what it wrote.",
  }),
  listTool("gpuc_tensorizer_list", "tensorizer"),
];
