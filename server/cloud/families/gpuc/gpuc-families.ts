import { inferenceFamily } from "../../ai/inference/endpoint-kind";
import { clusterFamilies } from "../../compute/clusters/cluster-families";
import { instanceFamilies } from "../../compute/instances/instance-families";
import { upgradeFamily } from "../../compute/own-upgrades/upgrade-kind";
import type { Family } from "../../core/resources/family";
import { tensorizerFamily } from "../../data/model-conversions/conversion-kind";
import { telemetryFamily } from "../../obs/ingest/store-kind";
import { objectFamily } from "./bucket-kind";
import type { GpucParts } from "./gpuc-ctx";
import { netFamily } from "./net-family";
import { sharedVolumeFamily } from "./volume-kind";

/** The families of the compute and infrastructure services. */
export const gpucFamilies = (parts: () => GpucParts): Family[] => [
  ...instanceFamilies(parts),
  objectFamily(parts),
  tensorizerFamily(parts),
  inferenceFamily(parts),
  netFamily(parts),
  ...clusterFamilies(parts),
  upgradeFamily(parts),
  telemetryFamily(parts),
  sharedVolumeFamily(parts),
];
