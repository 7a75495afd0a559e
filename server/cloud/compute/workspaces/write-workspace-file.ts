import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { contentFields, FILE_INPUT_LIMITS } from "../inside/inside-fields";
import { bytesOf, writeBytes } from "../inside/inside-files";
import { FILE_BYTES_MAX } from "../inside/run-inside";
import { useWorkspace } from "./reach-workspace";
import { workspaceExample } from "./workspace.example";
import type { WorkspaceCtx } from "./workspace-ctx";
import { workspaceChoice } from "./workspace-fields";
import { assertVersion, auditFiles, versionOf, WrittenWorkspaceFile } from "./workspace-files";

const VERSION = /^(none|[0-9a-f]{64})$/;

/**
 * Writes a file in a workspace. Throws `invalid_request`, `not_found`, `conflict` (reasons `not_running`, `changed`),
 * `unprocessable` (reasons `is_folder`, `failed`) and `payload_too_large` above 8 MiB.
 */
export const writeWorkspaceFile = operation({
  id: "writeWorkspaceFile",
  summary: "Write a file in a workspace",
  description: `Replaces a file that exists, and makes folders that are missing. At most ${FILE_BYTES_MAX / 1024 ** 2} MiB. With \`expected_version\` it is a conflict with the reason \`changed\` if the file has another content.`,
  access: "workspaces:write",
  stores: true,
  inputLimits: FILE_INPUT_LIMITS,
  input: z.strictObject({
    ...workspaceChoice,
    ...contentFields,
    expected_version: z
      .string()
      .regex(VERSION, "expected the version of a file, or none")
      .optional()
      .describe("The `version` of the file that is to be replaced, or `none` for a file that must not exist"),
  }),
  output: WrittenWorkspaceFile,
  example: {
    input: { id: workspaceExample.id, path: "/workspace/sum.py", content: "print(6 * 7)\n" },
    output: {
      path: "/workspace/sum.py",
      size: 13,
      version: "e10d13ee6beb328301b03cd6651a69e7c0b475c9559e6bf9f3dde151dc373eeb",
    },
  },
  run: (
    ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "sql" | "stopping">,
    { id, path, expected_version: expected, ...given },
    options,
  ) => {
    const bytes = bytesOf(given);
    return useWorkspace(ctx, { id, disconnected: options?.signal }, async (reached) => {
      if (expected !== undefined) await assertVersion(reached, path, expected);
      await auditFiles(ctx, reached, { verb: "written", path });
      return { ...(await writeBytes(reached, path, bytes)), version: versionOf(bytes) };
    });
  },
});
