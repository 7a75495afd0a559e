import type { AddressPolicy } from "../../../engines/address-policy";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { EventKind } from "../../../operation/event-kind";
import type { WebhookSender } from "./webhook-sender";

export interface WebhookCtx extends ActorCtx {
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** Every kind of event, of all products. */
  eventKinds: readonly EventKind[];
  /** Which URLs webhooks may have. */
  urlPolicy: AddressPolicy;
  /** Makes the attempts that a call waits for. */
  sender: Pick<WebhookSender, "turn" | "attempt">;
}
