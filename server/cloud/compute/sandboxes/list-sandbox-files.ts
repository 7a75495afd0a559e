import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { filePath, InsideFolder } from "../inside/inside-fields";
import { LISTED_FILES_MAX, listFolder } from "../inside/inside-files";
import type { PodsCtx } from "../pods/pods-ctx";
import { reachSandbox } from "./reach-sandbox";
import { sandboxExample } from "./sandbox.example";
import { sandboxChoice } from "./sandbox-fields";

/** Lists a folder of a sandbox, with the names that are UTF-8. */
export const listSandboxFiles = operation({
  id: "listSandboxFiles",
  summary: "List the files in a folder of a sandbox",
  description: `At most ${LISTED_FILES_MAX} files; \`truncated\` says whether there are more. The image needs \`ls\`.`,
  access: "sandboxes:read",
  input: z.strictObject({ ...sandboxChoice, path: filePath }),
  output: InsideFolder,
  example: {
    input: { id: sandboxExample.id, path: "/tmp" },
    output: { data: [{ name: "sum.py", type: "file", size: 13 }], truncated: false, left_out: 0 },
  },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "encryptionKey" | "podRuns" | "stopping">, { id, path }, options) => {
    const reached = await reachSandbox(ctx, id, options?.signal);
    const release = ctx.podRuns.follow(ctx.actor.tenantId);
    try {
      return await listFolder(reached, path);
    } finally {
      release();
    }
  },
});
