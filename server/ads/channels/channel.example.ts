import { EXAMPLE_TIME, EXAMPLE_TIMES, exampleId } from "../../operation/example";
import type { Channel } from "./channel";
import type { ChannelKey } from "./channel-key";

export const newChannelExample = {
  name: "Outdoor magazine",
  origins: ["https://outdoor.example"],
  categories: ["Sports>Running"],
};

export const channelExample: Channel = {
  id: exampleId("chn"),
  mode: "live",
  ...newChannelExample,
  blocked_categories: [],
  blocked_advertisers: [],
  network: "all",
  approved_advertisers: [],
  strictness: "balanced",
  ...EXAMPLE_TIMES,
};

export const channelKeyExample: ChannelKey = {
  id: exampleId("chk"),
  channel_id: channelExample.id,
  kind: "server",
  last_four: "q7vd",
  key: null,
  created_at: EXAMPLE_TIME,
  revoked_at: null,
  last_used_at: null,
};
