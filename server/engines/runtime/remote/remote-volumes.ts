import { Readable } from "node:stream";
import type { MakeVolume, RuntimeVolumes, VolumeList } from "../runtime-volumes";
import type { RuntimeLink } from "./runtime-link";
import { bodyOf, streamOf } from "./streams";

/** Beyond what a deletion of many files takes. */
const REMOVE_MS = 120_000;
const GROW_MS = 120_000;

/** The volumes of another node. Every method can also reject, and every stream fail, with `unavailable`. */
export class RemoteVolumes implements RuntimeVolumes {
  constructor(
    readonly link: RuntimeLink,
    readonly isEnforced = false,
  ) {}

  async make(id: string, { bytes, restore }: MakeVolume): Promise<void> {
    restore?.on("error", () => {});
    try {
      const body = Readable.from(bodyOf({ bytes }, restore));
      await this.link.call("PUT", `${pathOf(id)}${restore ? "?restore" : ""}`, { body, timeoutMs: 0 });
    } finally {
      restore?.destroy();
    }
  }

  snapshot(id: string): Readable {
    return streamOf(this.link, `${pathOf(id)}/snapshot`);
  }

  async grow(id: string, bytes: number): Promise<void> {
    await this.link.call("POST", `${pathOf(id)}/grow`, { json: { bytes }, timeoutMs: GROW_MS });
  }

  async limit(id: string, bytesPerSecond: number): Promise<boolean> {
    const path = `${pathOf(id)}/limit`;
    const { isEnforced } = await this.link.call<{ isEnforced: boolean }>("POST", path, { json: { bytesPerSecond } });
    return isEnforced;
  }

  list(): Promise<VolumeList> {
    return this.link.call("GET", "/volumes");
  }

  async remove(id: string): Promise<void> {
    await this.link.call("DELETE", pathOf(id), { timeoutMs: REMOVE_MS });
  }
}

const pathOf = (id: string): string => `/volumes/${encodeURIComponent(id)}`;
