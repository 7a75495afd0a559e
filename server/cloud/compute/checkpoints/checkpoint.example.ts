import { EXAMPLE_LATER, EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { Checkpoint } from "./checkpoint";

export const checkpointExample: Checkpoint = {
  id: exampleId("ckp"),
  pod_id: exampleId("pod"),
  kind: "filesystem",
  run: 1,
  cause: "request",
  state: "saved",
  reason: null,
  size_bytes: 734_003_200,
  volume_bytes: 10_485_760,
  new_bytes: 52_428_800,
  created_at: EXAMPLE_TIME,
  saved_at: EXAMPLE_LATER,
};
