import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { lockPod } from "../pod-records/pod-locks.sql";
import { originOf } from "../pod-records/stored-pod";
import type { PodsCtx } from "../pods/pods-ctx";
import { requestStop } from "../pods/request-stop";
import { findSandbox, readSandbox } from "./find-sandbox";
import { sandboxTarget, toSandbox } from "./sandbox";
import { sandboxEnded, shown } from "./sandbox.events";
import { sandboxExample } from "./sandbox.example";
import { sandboxChoice } from "./sandbox-fields";

const DELETED = { code: "deleted", message: "It was deleted." };

/** Ends a sandbox at once and deletes it with its files. Throws `not_found`. */
export const deleteSandbox = operation({
  id: "deleteSandbox",
  summary: "End and delete a sandbox",
  description: "Everything in it is killed, its files are deleted, and it is in no list. What it used stays metered.",
  access: "sandboxes:write",
  input: z.strictObject(sandboxChoice),
  output: z.void(),
  example: { input: { id: sandboxExample.id }, output: undefined },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">, { id }) => {
    await ctx.db.$transaction(async (tx) => {
      await findSandbox({ db: tx, actor: ctx.actor }, id);
      await lockPod(tx, id);
      const { pod, row } = await findSandbox({ db: tx, actor: ctx.actor }, id);
      const now = ctx.clock.now();
      await requestStop(tx, ctx, { pod, reason: DELETED });
      await tx.pod.update({ where: { id }, data: { deletedAt: now, env: {} } });
      await tx.sandbox.update({ where: { id }, data: { output: null, endedAt: row.endedAt ?? now } });
      const ended = shown(toSandbox(await readSandbox(tx, id), ctx));
      await recordAudit(tx, ctx, {
        action: "sandbox.deleted",
        targets: [sandboxTarget(pod)],
        events: row.endedAt ? [] : [newEvent(sandboxEnded, ended, originOf(pod))],
      });
    });
  },
});
