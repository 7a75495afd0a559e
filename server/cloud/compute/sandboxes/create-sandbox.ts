import { z } from "zod";
import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { findProject } from "../../../identity/projects/find-project";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { newId } from "../../../kernel/ids";
import { type Mode, modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { insertPod } from "../placement/insert-pod";
import type { PlaceCtx } from "../placement/place-run";
import { requireRuntime } from "../placement/require-runtime";
import { originOf } from "../pod-records/stored-pod";
import { assertMayUseSecrets, assertSecrets } from "../pod-requests/pod-request";
import type { PodsCtx } from "../pods/pods-ctx";
import { readSandbox } from "./find-sandbox";
import { finishCreation } from "./finish-creation";
import { SANDBOX_ID_PREFIX, Sandbox, sandboxTarget, toSandbox } from "./sandbox";
import { sandboxCreated, shown } from "./sandbox.events";
import { endedSandboxExample } from "./sandbox.example";
import { sandboxFields } from "./sandbox-fields";
import { SANDBOX_QUOTAS } from "./sandboxes.quotas";

/** How long a sandbox may wait for capacity and for its image. */
const START_MS_MAX = 15 * 60 * 1000;
const NAME_DIGITS = 6;
const NO_GPUS = { gpu: null, gpuCount: 0, region: null } as const;
/** What its first process does: it waits, and collects what other processes leave behind. */
const IDLE = ["/bin/sh", "-c", "while :; do sleep 86400; done"];

const Input = z.strictObject(sandboxFields);

/**
 * Creates a sandbox, and returns when it runs or its command has ended. Throws `unavailable` (reason `no_runtime`),
 * `not_found` for the project, `unprocessable` for a secret that does not exist, `forbidden` for one without
 * `secrets:reveal`, and `quota_exceeded`.
 */
export const createSandbox = operation({
  id: "createSandbox",
  summary: "Create a sandbox, and run a command in it",
  description:
    "A sandbox is an isolated environment for untrusted code. With `command` it runs that command, the response has exit code, standard output and standard error, and the sandbox ends; `keep_alive` keeps it for further commands and files. Without `command` the response is sent when it runs, or after 60 seconds while its image is still pulled (`starting`). Everything in it is ended with SIGKILL after `timeout_seconds`. A client that disconnects before the command has ended ends it. The image needs `/bin/sh` and `sleep`. The network is that of pods: public addresses by HTTP and HTTPS through a proxy, and nothing else.",
  access: "sandboxes:write",
  takesLong: true,
  stores: true,
  idempotent: true,
  result: "created",
  input: Input,
  output: Sandbox,
  example: {
    input: { image: endedSandboxExample.image, command: endedSandboxExample.command ?? [], env: { LANG: "C.UTF-8" } },
    output: endedSandboxExample,
  },
  run: async (ctx: PodsCtx, input) => {
    const { db, actor } = ctx;
    const mode = modeOf(actor, input.mode);
    await requireRuntime(ctx, { tenantId: ctx.actor.tenantId, mode, ...NO_GPUS, ports: [], volumeGb: null });
    assertMayUseSecrets(actor, input);
    await ctx.storedBytes.assertRoom(actor.tenantId);
    const created = await db.$transaction(async (tx) => {
      const { tenantId } = actor;
      await assertQuota(tx, { tenantId }, SANDBOX_QUOTAS.sandboxes);
      const project = await findProject(tx, actor, input.project);
      const owner = { tenantId, projectId: project.id, mode };
      await assertSecrets(ctx, owner, input);
      const pod = await insertSandbox({ ...ctx, db: tx }, { owner, input });
      const sandbox = toSandbox(await readSandbox(tx, pod.id), ctx);
      await recordAudit(tx, ctx, {
        action: "sandbox.created",
        targets: [sandboxTarget(pod)],
        details: shown(sandbox),
        events: [newEvent(sandboxCreated, shown(sandbox), originOf(pod))],
      });
      return sandbox;
    });
    return created;
  },
  afterCommit: (ctx: PodsCtx, { id }, options) => finishCreation(ctx, id, options?.signal),
});

interface NewSandbox {
  owner: { tenantId: string; projectId: string; mode: Mode };
  input: z.output<typeof Input>;
}

/** Inserts a sandbox with its run, and places that if there is capacity. */
async function insertSandbox(ctx: PlaceCtx & Pick<PodsCtx, "clock">, { owner, input }: NewSandbox): Promise<Pod> {
  const { db: tx } = ctx;
  const now = ctx.clock.now();
  const id = newId(SANDBOX_ID_PREFIX, now.getTime());
  const { image, name = `sandbox-${id.slice(-NAME_DIGITS)}`, env, cpu, memory_mb: memoryMb } = input;
  const secondsMax = input.timeout_seconds;
  const pod = await insertPod(ctx, {
    id,
    kind: "sandbox",
    ...owner,
    name,
    image,
    ...NO_GPUS,
    cpu,
    memoryMb,
    env,
    labels: {},
    command: IDLE,
    ...(input.registry_credentials && { registryCredentials: input.registry_credentials }),
    secondsMax,
    createdAt: now,
    expiresAt: new Date(now.getTime() + START_MS_MAX + secondsMax * 1000),
  });
  await tx.sandbox.create({ data: ownFields(id, { owner, input }) });
  return pod;
}

const ownFields = (id: string, { owner: { tenantId }, input }: NewSandbox): Prisma.SandboxCreateInput => ({
  id,
  tenantId,
  keepAlive: input.keep_alive,
  ...(input.command && { command: input.command }),
});
