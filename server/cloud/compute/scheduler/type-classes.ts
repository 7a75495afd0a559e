import type { DemandPrices } from "./demand-prices";
import type { NodeType } from "./node-table";
import { allowsModel } from "./shape-table";

/** The classes of requests that idle nodes of a type can serve, as columns. */
export interface TypeClasses {
  cpuMilli: Int32Array;
  gpus: Uint8Array;
  threshold: Uint16Array;
  /** The device size, in thousandths. */
  size: Int32Array;
  share: Float64Array;
  /** GPUs that are lost while the node cannot hold the class because other requests of it were blocked. */
  blockedGpus: Float64Array;
  /** The part of the requests of all other classes: for them all idle GPUs of the type are fragments. */
  otherShare: number;
}

export function typeClasses({ classes, thresholds }: DemandPrices, type: NodeType): TypeClasses {
  const served = classes.filter(
    (one) => one.gpus > 0 && one.gpus <= type.gpus && one.cpuMilli <= type.cpuMilli && allowsModel(one, type),
  );
  const others = classes.filter((one) => !served.includes(one));
  return {
    cpuMilli: Int32Array.from(served, ({ cpuMilli }) => cpuMilli),
    gpus: Uint8Array.from(served, ({ gpus }) => gpus),
    threshold: Uint16Array.from(served, ({ threshold }) => threshold),
    size: Int32Array.from(served, ({ threshold }) => thresholds[threshold] ?? 0),
    share: Float64Array.from(served, ({ share }) => share),
    blockedGpus: Float64Array.from(served, ({ gpus, blockedShare }) => (gpus > 1 ? gpus * blockedShare : 0)),
    otherShare: others.reduce((sum, { share }) => sum + share, 0),
  };
}
