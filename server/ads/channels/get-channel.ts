import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { Channel, channelOf, ownChannel } from "./channel";
import { channelExample } from "./channel.example";

/** Returns a channel of the tenant. Throws `not_found`, also for an archived one. */
export const getChannel = operation({
  id: "getChannel",
  summary: "Get a channel",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: Channel,
  example: { input: { id: channelExample.id }, output: channelExample },
  run: async (ctx: ActorCtx, input) => {
    return channelOf(await ownChannel(ctx, input.id));
  },
});
