import { CreateChannel, createChannel } from "../ads/channels/create-channel";
import { CreateChannelKey, createChannelKey } from "../ads/channels/create-channel-key";
import { DeleteChannel, deleteChannel } from "../ads/channels/delete-channel";
import { GetChannel, getChannel } from "../ads/channels/get-channel";
import { ListChannelKeys, listChannelKeys } from "../ads/channels/list-channel-keys";
import { ListChannels, listChannels } from "../ads/channels/list-channels";
import { RevokeChannelKey, revokeChannelKey } from "../ads/channels/revoke-channel-key";
import { UpdateChannel, updateChannel } from "../ads/channels/update-channel";
import { router, scoped } from "./trpc";

const read = scoped("ads:read");
const write = scoped("ads:write");

export const channelsRouter = router({
  list: read.input(ListChannels).query(({ ctx, input }) => listChannels(ctx.person, input)),
  get: read.input(GetChannel).query(({ ctx, input }) => getChannel(ctx.person, input)),
  create: write.input(CreateChannel).mutation(({ ctx, input }) => createChannel(ctx.person, input)),
  update: write.input(UpdateChannel).mutation(({ ctx, input }) => updateChannel(ctx.person, input)),
  delete: write.input(DeleteChannel).mutation(({ ctx, input }) => deleteChannel(ctx.person, input)),
  listKeys: read.input(ListChannelKeys).query(({ ctx, input }) => listChannelKeys(ctx.person, input)),
  createKey: write.input(CreateChannelKey).mutation(({ ctx, input }) => createChannelKey(ctx.person, input)),
  revokeKey: write.input(RevokeChannelKey).mutation(({ ctx, input }) => revokeChannelKey(ctx.person, input)),
});
