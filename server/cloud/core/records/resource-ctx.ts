import type { ActorCtx } from "../../../identity/identity-ctx";
import type { Families } from "../kinds/families";
import type { StoredResource } from "./resource";

export interface ResourceCtx extends ActorCtx {
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** What makes resources real, by service. */
  families: Families;
  waitUntilStable: WaitUntilStable;
}

/**
 * Has the reconciler take the next steps of a resource at once, and waits up to 5 seconds until it is ready, has failed or
 * is gone. Resolves with the row as it then is.
 */
export type WaitUntilStable = (rid: string, signal?: AbortSignal) => Promise<StoredResource>;
