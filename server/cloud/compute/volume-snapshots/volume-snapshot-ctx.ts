import type { ActorCtx } from "../../../identity/identity-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";

export interface VolumeSnapshotCtx extends ActorCtx {
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
}
