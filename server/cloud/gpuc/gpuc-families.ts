import { objectFamily } from "../bucket-resources/bucket-kind";
import type { CloudParts } from "../cloud-ctx";
import { clusterFamilies } from "../clusters/cluster-families";
import { inferenceFamily } from "../inference/endpoint-kind";
import { instanceFamilies } from "../instances/instance-families";
import { tensorizerFamily } from "../model-conversions/conversion-kind";
import { netFamily } from "../networks/net-family";
import { upgradeFamily } from "../own-upgrades/upgrade-kind";
import type { Family } from "../resources/family";
import { telemetryFamily } from "../telemetry/store-kind";
import { sharedVolumeFamily } from "../volume-resources/volume-kind";

/** The families of the compute and infrastructure services. */
export const gpucFamilies = (parts: () => CloudParts): Family[] => [
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
