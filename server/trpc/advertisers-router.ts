import { CreateAdvertiser, createAdvertiser } from "../ads/advertisers/create-advertiser";
import { DeleteAdvertiser, deleteAdvertiser } from "../ads/advertisers/delete-advertiser";
import { ListAdvertisers, listAdvertisers } from "../ads/advertisers/list-advertisers";
import { UpdateAdvertiser, updateAdvertiser } from "../ads/advertisers/update-advertiser";
import { router, scoped } from "./trpc";

const read = scoped("ads:read");
const write = scoped("ads:write");

export const advertisersRouter = router({
  list: read.input(ListAdvertisers).query(({ ctx, input }) => listAdvertisers(ctx.person, input)),
  create: write.input(CreateAdvertiser).mutation(({ ctx, input }) => createAdvertiser(ctx.person, input)),
  update: write.input(UpdateAdvertiser).mutation(({ ctx, input }) => updateAdvertiser(ctx.person, input)),
  delete: write.input(DeleteAdvertiser).mutation(({ ctx, input }) => deleteAdvertiser(ctx.person, input)),
});
