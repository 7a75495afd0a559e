import { OPERATIONS } from "../../generated/operations";
import { connect } from "../connect";
import { EXIT } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { cellText } from "../terminal-text";

/** svc waits for the start of a workspace for a minute. */
const TIMEOUT_MS = 90_000;

/** `svc workspaces open`. */
export async function openWorkspace({ input: { id }, flags }: Arguments, io: Io): Promise<number> {
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const workspace = await call(OPERATIONS.startWorkspace, { id }, { timeoutMs: TIMEOUT_MS });
  if (flags.json) io.stdout.write(`${JSON.stringify(workspace, null, 2)}\n`);
  else io.stdout.write(`${cellText((workspace as { url: string }).url)}\n`);
  return EXIT.ok;
}
