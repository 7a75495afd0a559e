import { ServiceError } from "../../../kernel/errors";
import { readNodes } from "../../compute/placement/pod-nodes.sql";
import { holdsVolumes } from "../../compute/volume-snapshots/place-volume";
import { readVolumeStates, waitUntilCreated } from "../../compute/volume-snapshots/volume-states";
import { assertSnapshot, beginRemoval, wantVolume } from "../../compute/volume-snapshots/want-volume";
import type { AuthorizeSpecCtx, Blocker, Kind, PlanStep, ResourceOwner } from "../../core/kinds/kind";
import { VolumeSpec } from "../../data/volumes/volume-spec";
import type { GpucParts } from "./gpuc-ctx";

/** A file system of a fixed size that several pods mount. */
export const volumeKind = (parts: () => GpucParts): Kind<VolumeSpec> => ({
  spec: VolumeSpec,
  authorizeSpec: async (ctx, spec, before) => {
    if (spec.capacity_gb > (before?.capacity_gb ?? 0)) await parts().storedBytes.assertRoom(ctx.owner.tenantId);
    if (spec.snapshot_id !== undefined) await assertSnapshot(ctx.db, { id: spec.snapshot_id, ...ctx.owner });
    if (spec.subnet_id !== undefined) await assertSubnet(ctx, spec.subnet_id);
  },
  assertChange: (before, after) => assertOnlyGrows(before, after),
  blockerOf: (_spec, owner) => blockerOf(parts(), owner),
  plan: (spec) => planOf(spec),
  provision: async (desired) => {
    const { db } = parts();
    await db.$transaction((tx) => wantVolume(tx, desired));
    await waitUntilCreated(parts(), desired.rid);
    const row = await db.sharedVolume.findUnique({ where: { id: desired.rid } });
    const failure = row?.failure as { code: string; message: string } | null | undefined;
    // Tried again later, unlike what is faulty.
    if (failure) throw new ServiceError("unavailable", failure.message, { details: { reason: failure.code } });
    return (await readVolumeStates(parts(), [desired])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) => readVolumeStates(parts(), all),
  beginRemoval: (tx, { rid }) => beginRemoval(tx, rid),
  remove: async ({ rid: id }) => {
    const { db } = parts();
    const { count } = await db.sharedVolume.updateMany({ where: { id }, data: { state: "deleting" } });
    if (count === 0) return true;
    await waitUntilCreated(parts(), id);
    return (await db.sharedVolume.count({ where: { id } })) === 0;
  },
  suspend: async ({ rid: id }) => {
    const { db, clock } = parts();
    await db.sharedVolume.updateMany({ where: { id, suspendedAt: null }, data: { suspendedAt: clock.now() } });
    return true;
  },
  tryIt: ({ rid }) => [
    {
      title: "Mount it in a pod",
      command: `svc pods create --image alpine --volumes '[{"volume":"${rid}","mount_path":"/shared"}]'`,
    },
  ],
});

/** Throws `unprocessable` for a subnet that its network does not have. */
async function assertSubnet({ db }: AuthorizeSpecCtx, id: string): Promise<void> {
  const [networkId = "", subnet] = id.split("/");
  if (subnet === undefined) return;
  const found = await db.privateNetwork.findUnique({ where: { id: networkId } });
  const names = (found?.subnets as { name: string }[] | undefined)?.map(({ name }) => name);
  if (!names || names.includes(subnet)) return;
  throw new ServiceError("unprocessable", "spec.subnet_id: expected the id of a network or of one of its subnets.", {
    param: "spec.subnet_id",
    details: { reason: "no_such_network" },
  });
}

/** Throws `unprocessable`. */
function assertOnlyGrows(before: VolumeSpec, after: VolumeSpec): void {
  const refuse = (field: keyof VolumeSpec, why: string, reason: string) => {
    throw new ServiceError("unprocessable", `spec.${field}: ${why}`, { param: `spec.${field}`, details: { reason } });
  };
  if (after.capacity_gb < before.capacity_gb)
    refuse("capacity_gb", `a volume does not shrink; expected at least ${before.capacity_gb}.`, "volume_shrinks");
  for (const field of ["subnet_id", "snapshot_id"] as const)
    if (after[field] !== before[field]) refuse(field, "it cannot be changed after creation.", "fixed_spec");
}

async function blockerOf({ db }: GpucParts, { tenantId, mode }: ResourceOwner): Promise<Blocker | undefined> {
  if ((await readNodes(db, tenantId)).some((node) => holdsVolumes(node, mode))) return undefined;
  return {
    code: "engine_missing",
    message: "No node of this installation has volumes whose size its kernel enforces.",
    remedy:
      "Run svc, or the agent of a node (svc node join), as root with RUNTIME=namespaces or docker, where loop devices can be mounted.",
  };
}

const planOf = ({ capacity_gb: gb, snapshot_id: from }: VolumeSpec): PlanStep[] => [
  {
    step: "make",
    what: `A file system of ${gb} GiB on the disk of a node${from === undefined ? "" : `, with the files of ${from}`}`,
    proof: "A pod that mounts it gets ENOSPC above its capacity",
  },
  { step: "mount", what: "Pods of the project mount it", proof: "A file that one pod writes is read by another one" },
  { step: "meter", what: "Its capacity, each second", proof: "GET /v1/usage has a row of the service volumes" },
];
