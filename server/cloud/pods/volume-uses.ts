import type { VolumeList } from "../../engines/runtime/runtime-volumes";
import type { CloudCtx } from "../cloud-ctx";
import { recordVolumeUse } from "./volume-use.sql";

/** Smaller changes are recorded with later ones. */
const CHANGE_MIN = 1024 ** 2;

/** Counts what the volumes of one machine take on its disk toward what their tenants store. */
export class VolumeUses {
  /** As they are recorded. */
  readonly #known = new Map<string, number>();

  constructor(readonly ctx: Pick<CloudCtx, "sql" | "storedBytes"> & { runnerId: string }) {}

  /** Records what has changed since the last call; the first one records everything. */
  async note({ ids, usedBytes }: Pick<VolumeList, "ids" | "usedBytes">): Promise<void> {
    if (!usedBytes) return;
    const bytes = new Map(Object.entries(usedBytes).filter(([id, used]) => this.#isChanged(id, used)));
    const gone = [...this.#known.keys()].filter((id) => !ids.includes(id));
    if (bytes.size === 0 && gone.length === 0) return;
    const { sql, storedBytes, runnerId } = this.ctx;
    for (const { tenantId, addedBytes } of await recordVolumeUse(sql, { runnerId, bytes, ids }))
      storedBytes.count(tenantId, "volumes", addedBytes);
    for (const [id, used] of bytes) this.#known.set(id, used);
    for (const id of gone) this.#known.delete(id);
  }

  #isChanged(id: string, used: number): boolean {
    // It can come from another machine.
    if (!Number.isSafeInteger(used) || used < 0) return false;
    const known = this.#known.get(id);
    return known === undefined || Math.abs(used - known) >= CHANGE_MIN;
  }
}
