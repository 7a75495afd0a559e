import type { Family } from "../../core/kinds/family";
import { conversionKind } from "./conversion-kind";
import type { GpucParts } from "./gpuc-ctx";

/** Conversions of models. */
export const tensorizerFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "tensorizer",
  label: "Tensorizer",
  summary: "Jobs that convert models and split them into shards.",
  meters: [],
  skus: [],
  kinds: { conversion: conversionKind(parts) },
  tools: {
    create: [
      {
        signature:
          "gpuc_tensorizer_create name*:s source_model*:s target_uri*:s dtype:s shards:i bytes_total:i sha256:s",
        about:
          "Converts a safetensors model into shards in a bucket, in the background. observed.progress counts its bytes, and observed.files are what it wrote.",
      },
    ],
    list: { signature: "gpuc_tensorizer_list" },
  },
});
