import { CreateCampaign, createCampaign } from "../ads/campaigns/create-campaign";
import { DeleteCampaign, deleteCampaign } from "../ads/campaigns/delete-campaign";
import { GetCampaign, getCampaign } from "../ads/campaigns/get-campaign";
import { ListCampaigns, listCampaigns } from "../ads/campaigns/list-campaigns";
import { UpdateCampaign, updateCampaign } from "../ads/campaigns/update-campaign";
import { CreateCreative, createCreative } from "../ads/creatives/create-creative";
import { DeleteCreative, deleteCreative } from "../ads/creatives/delete-creative";
import { ListCreatives, listCreatives } from "../ads/creatives/list-creatives";
import { UpdateCreative, updateCreative } from "../ads/creatives/update-creative";
import { ListProducts, listProducts } from "../ads/products/list-products";
import { router, scoped } from "./trpc";

const read = scoped("ads:read");
const write = scoped("ads:write");

export const campaignsRouter = router({
  list: read.input(ListCampaigns).query(({ ctx, input }) => listCampaigns(ctx.person, input)),
  get: read.input(GetCampaign).query(({ ctx, input }) => getCampaign(ctx.person, input)),
  create: write.input(CreateCampaign).mutation(({ ctx, input }) => createCampaign(ctx.person, input)),
  update: write.input(UpdateCampaign).mutation(({ ctx, input }) => updateCampaign(ctx.person, input)),
  delete: write.input(DeleteCampaign).mutation(({ ctx, input }) => deleteCampaign(ctx.person, input)),
  listCreatives: read.input(ListCreatives).query(({ ctx, input }) => listCreatives(ctx.person, input)),
  createCreative: write.input(CreateCreative).mutation(({ ctx, input }) => createCreative(ctx.person, input)),
  updateCreative: write.input(UpdateCreative).mutation(({ ctx, input }) => updateCreative(ctx.person, input)),
  deleteCreative: write.input(DeleteCreative).mutation(({ ctx, input }) => deleteCreative(ctx.person, input)),
  listProducts: read.input(ListProducts).query(({ ctx, input }) => listProducts(ctx.person, input)),
});
