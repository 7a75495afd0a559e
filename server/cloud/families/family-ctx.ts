import type { EdgeRunner } from "../edge/workers/edge-runner";
import type { GpucParts } from "./gpuc/gpuc-ctx";

/** What the families of all planes use. */
export interface FamilyParts extends GpucParts {
  /** Where hosts of tenants are. */
  edge: Pick<EdgeRunner, "urlOf">;
}
