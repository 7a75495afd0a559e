import type { Part } from "../../identity/part";
import { deriveKey } from "../../kernel/secrets";
import { ChannelRefs } from "./channel-refs";

/** The references by which buyers identify other publishers' channels. */
export const networkChannelsPart: Part<{ secret: string }, { channelRefs: ChannelRefs }> = {
  name: "network channels",
  start: ({ secret }) => ({ gives: { channelRefs: new ChannelRefs(deriveKey(secret, "channel-ref")) } }),
};
