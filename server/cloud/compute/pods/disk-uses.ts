import type { VolumeList } from "../../../engines/runtime/runtime-volumes";
import { type DiskUse, recordDiskUse } from "./disk-uses.sql";
import type { PodsCtx } from "./pods-ctx";

/** Smaller changes are recorded with later ones. */
const CHANGE_MIN = 1024 ** 2;

type Noun = DiskUse["noun"];

/** Counts what volumes and pods take on the disk of one node toward what their tenants store. */
export class DiskUses {
  /** As they are recorded; absent: an earlier process may have recorded some. */
  readonly #known = new Map<Noun, Map<string, number>>();

  constructor(readonly ctx: Pick<PodsCtx, "sql" | "storedBytes"> & { nodeId: string }) {}

  /** Records what has changed since the last call; the first one records everything. */
  async note({ usedBytes, workloadBytes }: Pick<VolumeList, "usedBytes" | "workloadBytes">): Promise<void> {
    if (usedBytes) await this.#recordAll("volumes", usedBytes);
    if (workloadBytes) await this.#recordAll("pods", workloadBytes);
  }

  async #recordAll(noun: Noun, all: Readonly<Record<string, number>>): Promise<void> {
    const known = this.#known.get(noun);
    // They can come from another node.
    const valid = Object.entries(all).filter(([, used]) => Number.isSafeInteger(used) && used >= 0);
    const bytes = new Map(valid.filter(([id, used]) => isChanged(known?.get(id), used)));
    const ids = Object.keys(all);
    const gone = [...(known?.keys() ?? [])].filter((id) => !Object.hasOwn(all, id));
    if (known && bytes.size === 0 && gone.length === 0) return;
    const { sql, storedBytes, nodeId } = this.ctx;
    for (const { tenantId, addedBytes } of await recordDiskUse(sql, { nodeId, noun, bytes, ids }))
      storedBytes.count(tenantId, noun, addedBytes);
    const left = [...(known ?? [])].filter(([id]) => Object.hasOwn(all, id));
    this.#known.set(noun, new Map([...left, ...bytes]));
  }
}

const isChanged = (known: number | undefined, used: number): boolean =>
  known === undefined || Math.abs(used - known) >= CHANGE_MIN;
