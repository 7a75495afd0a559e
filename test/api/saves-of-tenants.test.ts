import { PassThrough, Readable } from "node:stream";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { recordNodeReport } from "../../server/cloud/compute/placement/pod-nodes.sql";
import { CheckpointSaves } from "../../server/cloud/compute/pods/checkpoint-saves";
import { SharedVolumes } from "../../server/cloud/data/volumes/volumes";
import type { RuntimeVolumes } from "../../server/engines/runtime/runtime-volumes";
import { newId } from "../../server/kernel/ids";
import { makeTenant, testApp } from "../factories/app";
import { makeMeteredRun } from "../factories/billing";
import { makeSharedVolume, makeVolumeSnapshot } from "../factories/cloud-rows";
import { openForFile } from "../factories/open-for-file";
import { waitFor } from "../factories/wait-for";

/** As `makeMeteredRun` names it. */
const NODE = "node";
/** More than a node saves at a time. */
const SAVES = 4;

const test = await openForFile(testApp());
const abilities = { reachesPorts: true, keepsVolumes: true, hasNetworks: true, limitsVolumes: true };
const node = {
  id: NODE,
  kind: null,
  isolation: null,
  limitsEnforced: true,
  volumesGb: 100,
  reason: null,
  admittedOnly: false,
};
await recordNodeReport(test.engines.sql, { ...node, ...abilities, memoryMb: 10_000, diskMb: null, address: null });

const ctx = () => ({
  ...test.app.cloud,
  blobs: test.engines.blobs,
  nodeId: NODE,
  log: pino({ level: "silent" }),
  onDone: () => {},
});

/** An archive that never ends, except of what B has. */
const archiveOf = (id: string, ofB: string) => (id === ofB ? Readable.from([Buffer.from("of B")]) : new PassThrough());

async function savingCheckpoint(tenantId: string): Promise<{ id: string; runId: string }> {
  const { db, clock } = test.app.cloud;
  const now = clock.now();
  const { podId, runId } = await makeMeteredRun(test, { tenantId, priceNanosPerHour: 1n, from: now });
  const id = newId("ckp", now.getTime());
  const saving = { cause: "request", state: "saving", createdAt: now } as const;
  await db.podCheckpoint.create({ data: { id, podId, run: 1, chunks: [], ...saving } });
  return { id, runId };
}

async function savingSnapshot(tenantId: string): Promise<{ id: string; volumeId: string }> {
  const { cloud } = test.app;
  const owner = { tenantId, projectId: `prj_${tenantId}`, mode: "test" } as const;
  const volumeId = await makeSharedVolume(cloud, owner);
  await cloud.db.sharedVolume.update({ where: { id: volumeId }, data: { nodeId: NODE } });
  const id = await makeVolumeSnapshot(cloud, { ...owner, volumeId });
  await cloud.db.volumeSnapshot.update({ where: { id }, data: { state: "saving", savedAt: null, sizeBytes: null } });
  return { id, volumeId };
}

describe("a node that saves the files of several tenants", () => {
  it("A has four checkpoints to save that take long; B's checkpoint is saved", async () => {
    const [a, b] = await Promise.all([makeTenant(test), makeTenant(test)]);
    for (let made = 0; made < SAVES; made++) await savingCheckpoint(a.tenantId);
    const ofB = await savingCheckpoint(b.tenantId);
    const saves = new CheckpointSaves(ctx());
    await saves.look({ snapshot: (runId) => archiveOf(runId, ofB.runId), volumes: undefined });
    const stateOf = () => test.app.cloud.db.podCheckpoint.findUnique({ where: { id: ofB.id } });
    await waitFor(async () => expect(await stateOf()).toMatchObject({ state: "saved" }));
    await saves.stop();
  });

  it("A has four snapshots of volumes to save that take long; B's snapshot is saved", async () => {
    const [a, b] = await Promise.all([makeTenant(test), makeTenant(test)]);
    for (let made = 0; made < SAVES; made++) await savingSnapshot(a.tenantId);
    const ofB = await savingSnapshot(b.tenantId);
    const saves = new SharedVolumes(ctx());
    const volumes = { snapshot: (id: string) => archiveOf(id, ofB.volumeId) } as unknown as RuntimeVolumes;
    await saves.look(volumes);
    const stateOf = () => test.app.cloud.db.volumeSnapshot.findUnique({ where: { id: ofB.id } });
    await waitFor(async () => expect(await stateOf()).toMatchObject({ state: "saved" }));
    await saves.stop();
  });
});
