import type { Family } from "../../core/kinds/family";
import { simpleSku } from "../../core/kinds/sku";
import { EIP_PRICE } from "../../core/prices/network-prices";
import { eipKind } from "./eip-kind";
import type { GpucParts } from "./gpuc-ctx";
import { natKind } from "./nat-kind";
import { NetToolSpec } from "./network-spec";
import { byoipKind, dxPortKind } from "./planned-kinds";
import { vpcKind } from "./vpc-kind";

/** Private networks of pods, and how they reach others. */
export const netFamily = (parts: () => GpucParts): Family => ({
  plane: "gpuc",
  service: "net",
  label: "Networks",
  summary: "Isolated networks and addresses for pods and instances.",
  meters: ["networks"],
  skus: [
    simpleSku("eip", {
      description: "A TCP port of the installation, used or not",
      unit: "hour",
      price: EIP_PRICE,
    }),
  ],
  kinds: {
    vpc: vpcKind(parts),
    eip: eipKind(parts),
    byoip: byoipKind,
    dx_port: dxPortKind,
    nat: natKind(parts),
  },
  tools: {
    create: [
      {
        signature: "gpuc_net_create name*:s kind*:s cidr:s bandwidth:s location:s",
        spec: NetToolSpec,
        about:
          "Creates a private network for pods (vpc, whose observed.subnets have the ids that pods are created with), lets the pods of the project's only vpc reach public addresses (nat), or creates a public TCP port (eip). byoip and dx_port are placeholders with their plan. An eip leads to a pod when its target is set with PATCH /v1/resources/{rid}. An argument that the kind does not have is an error.",
      },
    ],
    list: { signature: "gpuc_net_list kind:s" },
    delete: "gpuc_net_delete network_id*:s",
  },
});
