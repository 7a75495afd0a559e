import { ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import type { Blocker } from "../../core/kinds/kind";
import { requireRuntime } from "../placement/require-runtime";
import type { GpusOfPod } from "../pod-requests/pod-request";
import type { InstanceParts } from "./instance-ctx";
import { blockerOfTerm } from "./instance-reservation";
import type { InstanceSpec } from "./instance-spec";

interface AskedBlocker {
  spec: InstanceSpec;
  gpus: GpusOfPod;
  tenantId: string;
  mode: Mode;
}

/** What is missing for an instance: a reservation of its term, or a node that can run it. */
export async function blockerOfInstance(
  parts: InstanceParts,
  { spec, gpus, ...owner }: AskedBlocker,
): Promise<Blocker | undefined> {
  const blocker = await blockerOfTerm(parts, spec, { gpus, ...owner });
  if (blocker) return blocker;
  try {
    await requireRuntime(parts, { ...gpus, ...owner, ports: spec.ports ?? [], volumeGb: null });
    return undefined;
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    const remedy = "Add a node that can run it (svc node join), or use test mode, where GPUs are simulated.";
    return { code: "engine_missing", message: failure.message, remedy };
  }
}
