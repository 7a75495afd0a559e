import { redirectProof } from "./cdn";
import { clusterProof, nodeGroupProof, slurmProof } from "./clusters";
import { sharedVolumeProof } from "./dfs";
import type { FamilyProof } from "./family-proof";
import { upgradeProof } from "./flc";
import { inferenceProof } from "./inference";
import { instanceProofs } from "./instances";
import { netProofs } from "./net";
import { notebookProof } from "./notebooks";
import { objectProof } from "./object";
import { storeProofs } from "./observe";
import { tensorizerProof } from "./tensorizer";

/** One proof for each kind of each family. */
export const FAMILY_PROOFS: readonly FamilyProof[] = [
  ...instanceProofs,
  objectProof,
  tensorizerProof,
  inferenceProof,
  clusterProof,
  nodeGroupProof,
  slurmProof,
  upgradeProof,
  ...storeProofs,
  sharedVolumeProof,
  ...netProofs,
  redirectProof,
  notebookProof,
];
