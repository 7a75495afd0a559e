import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { type Channel, channelOf, ownChannel } from "./channel";

export const GetChannel = z.strictObject({ id });

/** One channel of the tenant. Throws `not_found` for an archived one as well. */
export async function getChannel(ctx: AdsCtx, input: z.output<typeof GetChannel>): Promise<Channel> {
  return channelOf(await ownChannel(ctx, input.id));
}
