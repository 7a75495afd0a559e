import { EXAMPLE_LATER, EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { VolumeSnapshot } from "./volume-snapshot";

export const snapshotExample: VolumeSnapshot = {
  id: exampleId("vsn"),
  rid: exampleId("res"),
  capacity_gb: 100,
  state: "saved",
  reason: null,
  size_bytes: 734_003_200,
  stored_bytes: 412_090_368,
  created_at: EXAMPLE_TIME,
  saved_at: EXAMPLE_LATER,
};
