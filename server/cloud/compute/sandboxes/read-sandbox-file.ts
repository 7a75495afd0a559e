import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { filePath, InsideFile } from "../inside/inside-fields";
import { contentOf, readBytes } from "../inside/inside-files";
import { FILE_BYTES_MAX } from "../inside/run-inside";
import type { PodsCtx } from "../pods/pods-ctx";
import { reachSandbox } from "./reach-sandbox";
import { sandboxExample } from "./sandbox.example";
import { sandboxChoice } from "./sandbox-fields";

/**
 * Reads a file of a sandbox. Throws `not_found` (also with the reason `no_such_file`), `conflict` (reason `not_running`),
 * `unprocessable` (reasons `is_folder`, `no_file`, `not_permitted`) and `payload_too_large` above 8 MiB.
 */
export const readSandboxFile = operation({
  id: "readSandboxFile",
  summary: "Read a file in a sandbox",
  description: `At most ${FILE_BYTES_MAX / 1024 ** 2} MiB. The image needs \`cat\`.`,
  access: "sandboxes:read",
  input: z.strictObject({ ...sandboxChoice, path: filePath }),
  output: InsideFile,
  example: {
    input: { id: sandboxExample.id, path: "/tmp/result.json" },
    output: { path: "/tmp/result.json", size: 11, content: '{"sum": 42}', encoding: "utf8" },
  },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">, { id, path }, options) => {
    const reached = await reachSandbox(ctx, id, options?.signal);
    const release = ctx.podRuns.follow(ctx.actor.tenantId);
    try {
      return contentOf(path, await readBytes(reached, path));
    } finally {
      release();
    }
  },
});
