import type { ActorCtx } from "../../identity/identity-ctx";
import type { CapCounts } from "../caps/cap-counts";

export interface UserCtx extends ActorCtx {
  /** The key that turns user ids into the pseudonyms that serving uses. */
  userKey: Buffer;
  /** Forgets the signals of the users of a tenant with these keys. */
  signals: { erase: (tenantId: string, userKeys: readonly string[]) => Promise<void> };
  caps: Pick<CapCounts, "erase">;
}
