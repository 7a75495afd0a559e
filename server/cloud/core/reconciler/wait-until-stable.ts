import { pause } from "../../../kernel/pause";
import { isBehind, type StoredResource } from "../records/resource";
import type { ReconcileCtx } from "./reconcile-ctx";
import { stepInLane } from "./reconciler";

const WAIT_MS = 5000;
const POLL_MS = 100;

/**
 * Takes the next steps of a resource at once, and waits up to 5 seconds until it is ready, has failed or is gone.
 * Returns the row as it then is.
 */
export async function waitUntilStable(
  ctx: ReconcileCtx,
  rid: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<StoredResource> {
  const until = Date.now() + WAIT_MS;
  // A step that takes longer goes on, and its failure is in the row.
  const late = new AbortController();
  const read = () => ctx.db.resource.findUniqueOrThrow({ where: { id: rid } });
  await Promise.race([stepInLane(ctx, await read()), pause(WAIT_MS, AbortSignal.any([signal, late.signal]))]).catch(
    () => undefined,
  );
  late.abort();
  let row = await read();
  while (isMoving(row) && Date.now() < until && !signal.aborted) {
    await pause(POLL_MS, signal);
    row = await read();
  }
  return row;
}

const isMoving = (row: StoredResource): boolean =>
  row.state === "provisioning" || row.state === "deleting" || isBehind(row);
