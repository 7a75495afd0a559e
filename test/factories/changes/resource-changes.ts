import { activateService } from "../../../server/cloud/core/resources/activate-service";
import type { AccountScene } from "../account-scene";
import type { TestApp } from "../app";
import { type Change, inTest, type Prepared } from "./change";

async function toInstance(
  s: AccountScene,
  { engines }: TestApp,
  fields: Record<string, unknown> = {},
): Promise<Prepared> {
  const rid = await s.instance("ready");
  const { projectId } = await engines.db.resource.findUniqueOrThrow({ where: { id: rid } });
  return { input: { rid, ...fields }, marks: inTest(projectId) };
}

export const changes: readonly Change[] = [
  {
    operation: "activateService",
    actions: ["activation.created"],
    prepare: async (s) => {
      await s.deactivate();
      return { input: { service: "dfs" } };
    },
  },
  {
    operation: "deactivateService",
    actions: ["activation.deleted"],
    prepare: async (s) => {
      await activateService.run(s.owner, activateService.input.parse({ service: "dfs" }));
      return { input: { service: "dfs" } };
    },
  },
  {
    operation: "updateResource",
    actions: ["resource.updated"],
    events: ["resource.updated"],
    prepare: async (s, test) => {
      const spec = { sku: "Genoa", image_id: "debian-12", memory_mb: 64, running: false };
      return toInstance(s, test, { spec });
    },
  },
  {
    operation: "stopInstance",
    actions: ["resource.updated"],
    events: ["resource.updated"],
    prepare: (s, test) => toInstance(s, test),
  },
  {
    operation: "createVolumeSnapshot",
    actions: ["resource.snapshot_requested"],
    prepare: async (s) => ({ input: { rid: await s.sharedVolume() } }),
  },
  {
    operation: "deleteVolumeSnapshot",
    actions: ["resource.snapshot_deleted"],
    prepare: async (s) => {
      const rid = await s.sharedVolume();
      return { input: { rid, snapshot_id: await s.volumeSnapshot(rid) } };
    },
  },
  {
    operation: "deleteResource",
    actions: ["resource.deletion_started", "resource.deleted"],
    events: ["resource.deleted"],
    prepare: (s, test) => toInstance(s, test),
  },
  {
    operation: "deleteInstance",
    actions: ["resource.deletion_started", "resource.deleted"],
    events: ["resource.deleted"],
    prepare: (s, test) => toInstance(s, test),
  },
];
