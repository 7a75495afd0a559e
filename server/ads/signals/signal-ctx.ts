import type { ConsentReader } from "../consent/consent-reader";
import type { ServingChannel } from "../serving/serving";
import type { Visitor } from "../visitor";
import type { SignalMemory } from "./signal-memory";

export interface SignalCtx {
  signals: SignalMemory;
  consent: ConsentReader;
  /** The key that turns user ids into pseudonyms, so that no id is ever stored. */
  userKey: Buffer;
  visitor: Visitor;
  /** The channel of the key. */
  channel: ServingChannel;
}
