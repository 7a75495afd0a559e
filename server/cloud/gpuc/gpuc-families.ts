import { objectFamily } from "../bucket-resources/bucket-kind";
import type { CloudParts } from "../cloud-ctx";
import { inferenceFamily } from "../inference/endpoint-kind";
import { instanceFamilies } from "../instances/instance-families";
import { tensorizerFamily } from "../model-conversions/conversion-kind";
import { netFamily } from "../networks/net-family";
import type { Family } from "../resources/family";

/** The families of the compute and infrastructure services. */
export const gpucFamilies = (parts: () => CloudParts): Family[] => [
  ...instanceFamilies(parts),
  objectFamily(parts),
  tensorizerFamily(parts),
  inferenceFamily(parts),
  netFamily(parts),
];
