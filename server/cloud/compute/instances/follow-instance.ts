import type { ActorCtx } from "../../../identity/identity-ctx";
import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import { creatorCtx } from "../../core/kinds/creator-ctx";
import type { DesiredResource } from "../../core/kinds/kind";
import { runAsCreator } from "../../core/kinds/run-as-creator";
import { isActive } from "../pod-records/pod-states";
import type { GpusOfPod } from "../pod-requests/pod-request";
import { createPodRow } from "../pods/create-pod";
import { startPod } from "../pods/start-pod";
import { stopPod } from "../pods/stop-pod";
import type { InstanceCtx, InstanceParts } from "./instance-ctx";
import { imageOf } from "./instance-images";
import { podsOf } from "./instance-pod";
import { instanceProgram } from "./instance-program";
import { reservationFor } from "./instance-reservation";
import type { InstanceSpec } from "./instance-spec";

/** Makes the pod of an instance what its spec says. */
export async function followInstance<S extends InstanceSpec>(
  parts: InstanceParts,
  desired: DesiredResource<S>,
  gpus: GpusOfPod,
): Promise<void> {
  const pod = (await podsOf(parts, [desired.rid])).get(desired.rid);
  const { running, ports } = desired.spec;
  if (!pod) {
    if (running) await createPod(creatorCtx(parts, desired), desired, gpus);
    return;
  }
  // Specs of earlier versions have no ports.
  if (ports && canonicalJson(ports) !== canonicalJson(pod.ports))
    await parts.db.pod.update({ where: { id: pod.id }, data: { ports } });
  if (running && !isActive(pod.status))
    await runAsCreator(parts, desired, { operation: startPod, sent: { id: pod.id, from: "files" } });
  if (!running && isActive(pod.status))
    await runAsCreator(parts, desired, { operation: stopPod, sent: { id: pod.id } });
}

async function createPod<S extends InstanceSpec>(
  ctx: ActorCtx &
    Pick<InstanceCtx, "currency" | "gpuPools" | "podRuns" | "publicUrl" | "secretsKey" | "sql" | "storedBytes">,
  desired: DesiredResource<S>,
  gpus: GpusOfPod,
): Promise<void> {
  const { rid, name, spec, mode, projectId: project } = desired;
  const spot = spec.purchase_option === "spot";
  const isReserved = spec.purchase_option === "reserved_1y";
  const reservation = isReserved ? await reservationFor(ctx, { ...desired, gpus }) : undefined;
  // It would cost more without one than was agreed.
  if (isReserved && reservation === undefined) throw noRoom();
  await createPodRow(
    ctx,
    {
      image: imageOf(spec.image_id),
      name,
      ...instanceProgram(spec.user_data),
      mode,
      project,
      ...(gpus.gpu !== null && { gpu: gpus.gpu, gpu_count: gpus.gpuCount, region: gpus.region }),
      spot,
      auto_resume: spot,
      reservation_id: reservation,
      cpu: spec.cpu,
      memory_mb: spec.memory_mb,
      ports: spec.ports ?? [],
      labels: spec.tags,
      registry_credentials: spec.registry_credentials,
      volumes: spec.volumes ?? [],
      network: spec.network,
    },
    { resourceId: rid },
  );
}

const noRoom = (): ServiceError =>
  new ServiceError("unavailable", "No reservation of a year has room for it now; it is tried again.", {
    details: { reason: "reservation_full" },
  });
