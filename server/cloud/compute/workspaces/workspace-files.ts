import { hash } from "node:crypto";
import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { InsideFile, WrittenFile } from "../inside/inside-fields";
import { readBytes } from "../inside/inside-files";
import type { ReachedInside } from "../inside/reach-started";
import { workspaceTarget } from "./workspace";

const version = z.string().describe("Names the content; it is another one when the content has changed");

export const WorkspaceFile = InsideFile.extend({ version });
export const WrittenWorkspaceFile = WrittenFile.extend({ version });

export const versionOf = (bytes: Buffer): string => hash("sha256", bytes);

/**
 * Throws `conflict` (reason `changed`) unless a file has a content; `none`: it does not exist. It is read right before it
 * is written, so that only what changes it in between is not noticed.
 */
export async function assertVersion(reached: ReachedInside, path: string, expected: string): Promise<void> {
  const found = await readBytes(reached, path).then(versionOf, noneIfAbsent);
  if (found === expected) return;
  const what = found === "none" ? "no longer exists" : expected === "none" ? "exists already" : "has changed";
  const message = `expected_version: ${path} ${what}. Read it again, or write without expected_version to replace it.`;
  throw new ServiceError("conflict", message, {
    param: "expected_version",
    details: { reason: "changed", version: found },
  });
}

function noneIfAbsent(cause: unknown): "none" {
  if (cause instanceof ServiceError && cause.details?.reason === "no_such_file") return "none";
  throw cause;
}

/** Records a change of files of a workspace. */
export async function auditFiles(
  ctx: ActorCtx,
  { pod }: ReachedInside,
  { verb, ...details }: { verb: "written" | "moved" | "deleted"; path: string; to?: string },
): Promise<void> {
  const entry = { action: `workspace.file_${verb}`, targets: [workspaceTarget(pod)], details };
  await ctx.db.$transaction((tx) => recordAudit(tx, ctx, entry));
}
