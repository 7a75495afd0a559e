import type { Tool } from "../../../operation/tool";
import { creationTool, listTool } from "../../core/resources/resource-tools";
import { ConversionSpec } from "./conversion-spec";

export const tensorizerTools: readonly Tool[] = [
  creationTool("gpuc_tensorizer_create name*:s source_model*:s target_uri*:s dtype:s shards:i bytes_total:i sha256:s", {
    ...{ service: "tensorizer", spec: ConversionSpec },
    description:
      "Converts a safetensors model into shards in a bucket, in the background; observed.progress counts its bytes, and observed.files are what it wrote. Without the activated service tensorizer the result is a placeholder with the reason and the plan.",
  }),
  listTool("gpuc_tensorizer_list", "tensorizer"),
];
