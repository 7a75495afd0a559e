import { Families } from "../core/kinds/families";
import type { Family } from "../core/kinds/family";
import { cdnFamily } from "./edgec/cdn-family";
import type { FamilyParts } from "./family-ctx";
import { baremetalFamily } from "./gpuc/baremetal-family";
import { cksFamily } from "./gpuc/cks-family";
import { cpuFamily } from "./gpuc/cpu-family";
import { dfsFamily } from "./gpuc/dfs-family";
import { flcFamily } from "./gpuc/flc-family";
import { gpuFamily } from "./gpuc/gpu-family";
import { inferenceFamily } from "./gpuc/inference-family";
import { netFamily } from "./gpuc/net-family";
import { nlcFamily } from "./gpuc/nlc-family";
import { objectFamily } from "./gpuc/object-family";
import { observeFamily } from "./gpuc/observe-family";
import { sunkFamily } from "./gpuc/sunk-family";
import { tensorizerFamily } from "./gpuc/tensorizer-family";
import { notebooksFamily } from "./obs/notebooks-family";
import { PLANNED_FAMILIES } from "./planned-services";

/** Every family of every plane, in the order of pages and tools. */
export const cloudFamilies = (parts: () => FamilyParts): Family[] => [
  gpuFamily(parts),
  cpuFamily(parts),
  baremetalFamily(parts),
  objectFamily(parts),
  dfsFamily(parts),
  netFamily(parts),
  cksFamily(parts),
  sunkFamily(parts),
  flcFamily(parts),
  nlcFamily,
  observeFamily(parts),
  inferenceFamily(parts),
  tensorizerFamily(parts),
  cdnFamily(parts),
  notebooksFamily(parts),
  ...PLANNED_FAMILIES,
];

/** The same without effects, for what depends on the facts of families alone, such as the list of tools. */
export const FAMILIES = new Families(
  cloudFamilies(() => {
    throw new Error("These families only describe themselves.");
  }),
);
