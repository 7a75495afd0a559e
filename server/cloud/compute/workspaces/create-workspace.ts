import { z } from "zod";
import type { Pod } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { findProject } from "../../../identity/projects/find-project";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { newId } from "../../../kernel/ids";
import { type Mode, modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import { insertPod } from "../placement/insert-pod";
import type { PlaceCtx } from "../placement/place-run";
import { requireRuntime } from "../placement/require-runtime";
import { originOf } from "../pod-records/stored-pod";
import { readWorkspace } from "./find-workspace";
import { runUntil, untilWorks } from "./until-works";
import { toWorkspace, WORKSPACE_FOLDER, Workspace, workspaceTarget } from "./workspace";
import { workspaceCreated } from "./workspace.events";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceFields } from "./workspace-fields";
import { WORKSPACE_ID_PREFIX } from "./workspace-hosts";
import { workspaceProgram } from "./workspace-program";
import { WORKSPACE_QUOTAS } from "./workspaces.quotas";

const NO_GPUS = { gpu: null, gpuCount: 0, region: null } as const;

const Input = z.strictObject(workspaceFields);

/**
 * Creates a workspace, and returns when it runs, or after a minute. Throws `unavailable` (reasons `no_runtime`,
 * `volume_unsupported`), `not_found` for the project, and `quota_exceeded`.
 */
export const createWorkspace = operation({
  id: "createWorkspace",
  summary: "Create a workspace",
  description:
    "A workspace is a machine to write programs on: a container image with a disk at `/workspace`, an editor in the browser and terminals. The disk keeps its files until the workspace is deleted. The editor is code-server if the image has it and this installation gives workspaces origins of their own, else that of the dashboard. The response is sent when it runs, or after 60 seconds while its image is still pulled (`starting`). The network is that of pods: public addresses by HTTP and HTTPS through a proxy, and nothing else.",
  access: "workspaces:write",
  takesLong: true,
  stores: true,
  idempotent: true,
  result: "created",
  input: Input,
  output: Workspace,
  example: { input: { name: workspaceExample.name, image: workspaceExample.image }, output: workspaceExample },
  run: async (ctx: WorkspaceCtx, input) => {
    const { db, actor } = ctx;
    const { tenantId } = actor;
    const mode = modeOf(actor, input.mode);
    await requireRuntime(ctx, { tenantId: ctx.actor.tenantId, mode, ...NO_GPUS, ports: [], volumeGb: input.disk_gb });
    await ctx.storedBytes.assertRoom(tenantId);
    const created = await db.$transaction(async (tx) => {
      await assertQuota(tx, { tenantId }, WORKSPACE_QUOTAS.workspaces);
      await assertQuota(tx, { tenantId, adding: input.disk_gb }, VOLUME_QUOTAS.volume_gb);
      const project = await findProject(tx, actor, input.project);
      const owner = { tenantId, projectId: project.id, mode };
      const pod = await insertWorkspace({ ...ctx, db: tx }, { owner, input });
      const workspace = toWorkspace(await readWorkspace(tx, pod.id), ctx);
      await recordAudit(tx, ctx, {
        action: "workspace.created",
        targets: [workspaceTarget(pod)],
        details: workspace,
        events: [newEvent(workspaceCreated, workspace, originOf(pod))],
      });
      return workspace;
    });
    return created;
  },
  afterCommit: (ctx: WorkspaceCtx, { id }, options) => untilWorks(ctx, id, options?.signal),
});

interface NewWorkspace {
  owner: { tenantId: string; projectId: string; mode: Mode };
  input: z.output<typeof Input>;
}

/** Inserts a workspace with its first run, and places that if there is capacity. */
async function insertWorkspace(
  ctx: PlaceCtx & Pick<WorkspaceCtx, "clock" | "workspaceHosts">,
  { owner, input }: NewWorkspace,
): Promise<Pod> {
  const { db: tx } = ctx;
  const now = ctx.clock.now();
  const id = newId(WORKSPACE_ID_PREFIX, now.getTime());
  const { image, name, cpu, memory_mb: memoryMb } = input;
  const pod = await insertPod(ctx, {
    id,
    kind: "workspace",
    ...owner,
    name,
    image,
    ...NO_GPUS,
    cpu,
    memoryMb,
    env: {},
    labels: {},
    command: workspaceProgram({ hasEditor: ctx.workspaceHosts !== undefined }),
    volumeGb: input.disk_gb,
    volumePath: WORKSPACE_FOLDER,
    createdAt: now,
    expiresAt: runUntil(now),
  });
  const used = { idleTimeoutSeconds: input.idle_timeout_seconds, lastUsedAt: now };
  await tx.workspace.create({ data: { id, tenantId: owner.tenantId, ...used, announced: "" } });
  return pod;
}
