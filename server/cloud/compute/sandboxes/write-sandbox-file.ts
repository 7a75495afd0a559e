import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { contentFields, FILE_INPUT_LIMITS, WrittenFile } from "../inside/inside-fields";
import { bytesOf, writeBytes } from "../inside/inside-files";
import { FILE_BYTES_MAX } from "../inside/run-inside";
import type { PodsCtx } from "../pods/pods-ctx";
import { reachSandbox } from "./reach-sandbox";
import { sandboxTarget } from "./sandbox";
import { sandboxExample } from "./sandbox.example";
import { sandboxChoice } from "./sandbox-fields";

/**
 * Writes a file in a sandbox. Throws `invalid_request`, `not_found`, `conflict` (reason `not_running`), `unprocessable`
 * (reasons `is_folder`, `failed`) and `payload_too_large` above 8 MiB.
 */
export const writeSandboxFile = operation({
  id: "writeSandboxFile",
  summary: "Write a file in a sandbox",
  description: `Replaces a file that exists, and makes folders that are missing. At most ${FILE_BYTES_MAX / 1024 ** 2} MiB. The image needs \`cat\`, and \`mkdir\` for folders.`,
  access: "sandboxes:write",
  stores: true,
  inputLimits: FILE_INPUT_LIMITS,
  input: z.strictObject({ ...sandboxChoice, ...contentFields }),
  output: WrittenFile,
  example: {
    input: { id: sandboxExample.id, path: "/tmp/sum.py", content: "print(6 * 7)\n" },
    output: { path: "/tmp/sum.py", size: 13 },
  },
  run: async (
    ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">,
    { id, path, ...given },
    options,
  ) => {
    const bytes = bytesOf(given);
    const reached = await reachSandbox(ctx, id, options?.signal);
    const release = ctx.podRuns.follow(ctx.actor.tenantId);
    try {
      const written = { action: "sandbox.file_written", targets: [sandboxTarget(reached.pod)], details: { path } };
      await ctx.db.$transaction((tx) => recordAudit(tx, ctx, written));
      return await writeBytes(reached, path, bytes);
    } finally {
      release();
    }
  },
});
