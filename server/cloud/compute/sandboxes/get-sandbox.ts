import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { PodsCtx } from "../pods/pods-ctx";
import { findSandbox } from "./find-sandbox";
import { Sandbox, toSandbox } from "./sandbox";
import { endedSandboxExample } from "./sandbox.example";
import { sandboxChoice } from "./sandbox-fields";

/** Returns a sandbox with the output of its command. Throws `not_found`. */
export const getSandbox = operation({
  id: "getSandbox",
  summary: "Get a sandbox",
  description:
    "A sandbox is `starting` until it runs (`running`), and `ended` when its command has ended, its time is over, or it has failed, for the reason in `status_reason`.",
  access: "sandboxes:read",
  input: z.strictObject(sandboxChoice),
  output: Sandbox,
  example: { input: { id: endedSandboxExample.id }, output: endedSandboxExample },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">, { id }) =>
    toSandbox(await findSandbox(ctx, id), ctx),
});
