import type { Family } from "../../core/resources/family";
import { eipKind } from "./eip-kind";
import type { GpucParts } from "./gpuc-ctx";
import { natKind } from "./nat-kind";
import { byoipKind, dxPortKind } from "./planned-kinds";
import { vpcKind } from "./vpc-kind";

/** Private networks of pods, and how they reach others: `net`. */
export const netFamily = (parts: () => GpucParts): Family => ({
  ...{ plane: "gpuc", service: "net" },
  kinds: {
    vpc: vpcKind(parts),
    eip: eipKind(parts),
    byoip: byoipKind,
    dx_port: dxPortKind,
    nat: natKind(parts),
  },
});
