import { octetInputParser } from "@trpc/server/http";
import { GetCampaignPlan, getCampaignPlan } from "../ads/budgets/get-campaign-plan";
import { GetCampaignSpend, getCampaignSpend } from "../ads/budgets/get-campaign-spend";
import { CreateCampaign, createCampaign } from "../ads/campaigns/create-campaign";
import { DeleteCampaign, deleteCampaign } from "../ads/campaigns/delete-campaign";
import { GetCampaign, getCampaign } from "../ads/campaigns/get-campaign";
import { ListCampaigns, listCampaigns } from "../ads/campaigns/list-campaigns";
import { UpdateCampaign, updateCampaign } from "../ads/campaigns/update-campaign";
import { CreateCreative, createCreative } from "../ads/creatives/create-creative";
import { DeleteCreative, deleteCreative } from "../ads/creatives/delete-creative";
import { ListCreatives, listCreatives } from "../ads/creatives/list-creatives";
import { UpdateCreative, updateCreative } from "../ads/creatives/update-creative";
import { CountProducts, countProducts } from "../ads/products/count-products";
import { importProducts } from "../ads/products/import-products";
import { ListProducts, listProducts } from "../ads/products/list-products";
import { feedOf } from "./feed-upload";
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
  spend: read.input(GetCampaignSpend).query(({ ctx, input }) => getCampaignSpend(ctx.person, input)),
  plan: read.input(GetCampaignPlan).query(({ ctx, input }) => getCampaignPlan(ctx.person, input)),
  /** The body is the feed itself, so that a large one streams. */
  importProducts: write
    .input(octetInputParser)
    .mutation(({ ctx, input: body }) => importProducts(ctx.person, { ...feedOf(ctx.requestHeaders), body })),
  countProducts: read.input(CountProducts).query(({ ctx, input }) => countProducts(ctx.person, input)),
  listProducts: read.input(ListProducts).query(({ ctx, input }) => listProducts(ctx.person, input)),
});
