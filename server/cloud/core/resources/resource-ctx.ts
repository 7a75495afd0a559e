import type { ActorCtx } from "../../../identity/identity-ctx";
import type { Families } from "./family";
import type { ReconcileCtx } from "./resource-reconciler";

export interface ResourceCtx extends ActorCtx {
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** What makes resources real, by service. */
  families: Families;
  /** What takes the next steps of a resource. */
  reconciling: ReconcileCtx;
}
