import { type Runtime, RuntimeError } from "../../../engines/runtime/runtime";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { runInside } from "../inside/run-inside";
import { reachRun } from "../pods/reach-run";
import { editorOf, type StoredWorkspace } from "./workspace";
import type { WorkspaceCtx } from "./workspace-ctx";
import { EDITOR_PORT } from "./workspace-program";

const LOOK = "command -v code-server > /dev/null 2>&1 && echo found || :";
const OUTPUT_BYTES_MAX = 100;

/**
 * Finds out which editor a workspace has, once per run, and returns the workspace with it. It stays unknown while the
 * workspace does not run or its node cannot be reached.
 */
export async function lookForEditor(
  ctx: ActorCtx & Pick<WorkspaceCtx, "encryptionKey" | "podRuns" | "stopping" | "workspaceHosts">,
  workspace: StoredWorkspace,
): Promise<StoredWorkspace> {
  const { pod } = workspace;
  if (pod.status !== "ready" || editorOf(workspace) !== null) return workspace;
  try {
    const reached = await reachRun(ctx, pod);
    if (!reached) return workspace;
    const { run, runtime } = reached;
    const isFound = ctx.workspaceHosts !== undefined && (await hasCodeServer(ctx, reached));
    const editor = isFound && (await canConnect(runtime, run.id)) ? "code_server" : "built_in";
    const data = { editor, editorRun: pod.runNumber } as const;
    return { pod, row: await ctx.db.workspace.update({ where: { id: pod.id }, data }) };
  } catch (cause) {
    if (cause instanceof ServiceError && EXPECTED.has(cause.code)) return workspace;
    throw cause;
  }
}

/** Of a node that does not respond, and a workspace that is ending. */
const EXPECTED: ReadonlySet<string> = new Set(["unavailable", "conflict", "unprocessable"]);

async function hasCodeServer(
  { stopping: signal }: ActorCtx & Pick<WorkspaceCtx, "stopping">,
  { run, runtime }: NonNullable<Awaited<ReturnType<typeof reachRun>>>,
): Promise<boolean> {
  const inside = { runtime, run, signal };
  const output = await runInside(inside, { script: LOOK, path: "/", bytesMax: OUTPUT_BYTES_MAX });
  return output.toString("utf8").startsWith("found");
}

/** Whether the runtime reaches ports of workloads, on which nothing may listen yet. */
async function canConnect(runtime: Pick<Runtime, "connect">, runId: string): Promise<boolean> {
  try {
    (await runtime.connect(runId, EDITOR_PORT)).on("error", () => undefined).destroy();
    return true;
  } catch (cause) {
    if (cause instanceof RuntimeError) return cause.reason === "port_closed";
    throw cause;
  }
}
