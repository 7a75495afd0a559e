import { deleteAdvertiser } from "../../../server/ads/advertisers/delete-advertiser";
import { deleteCampaign } from "../../../server/ads/campaigns/delete-campaign";
import { deleteChannel } from "../../../server/ads/channels/delete-channel";
import { deleteCreative } from "../../../server/ads/creatives/delete-creative";
import { deleteProduct } from "../../../server/ads/products/delete-product";
import { CREATIVE } from "../account-scene";
import { type Change, inTest, to } from "./change";

/** Nothing is ever fetched from it. */
const FEED_URL = "https://shop.example/feed.csv";

export const changes: readonly Change[] = [
  {
    operation: "createChannel",
    actions: ["channel.created"],
    prepare: () => ({ input: { name: "Shop" } }),
  },
  {
    operation: "copyChannel",
    actions: ["channel.created"],
    prepare: async (s) => ({ input: { id: (await s.channel()).id } }),
  },
  {
    operation: "updateChannel",
    actions: ["channel.updated"],
    prepare: async (s) => ({ input: { id: (await s.channel()).id, name: "Store" } }),
  },
  {
    operation: "deleteChannel",
    actions: ["channel.archived"],
    prepare: async (s) => ({ input: { id: (await s.channel()).id } }),
  },
  {
    operation: "restoreChannel",
    actions: ["channel.restored"],
    prepare: async (s) => {
      const input = { id: (await s.channel()).id };
      await deleteChannel.run(s.owner, input);
      return { input };
    },
  },
  {
    operation: "createChannelKey",
    actions: ["channel_key.created"],
    prepare: async (s) => ({ input: { id: (await s.channel()).id, kind: "server" } }),
  },
  {
    operation: "revokeChannelKey",
    actions: ["channel_key.revoked"],
    prepare: async (s) => ({ input: await s.channelKey() }),
  },
  {
    operation: "createAdvertiser",
    actions: ["advertiser.created"],
    prepare: () => ({ input: { name: "Acme" } }),
  },
  {
    operation: "updateAdvertiser",
    actions: ["advertiser.updated"],
    prepare: async (s) => ({ input: { id: (await s.advertiser()).id, domain: "acme.example" } }),
  },
  {
    operation: "verifyAdvertiserDomain",
    actions: ["advertiser.domain_verified"],
    prepare: async (s) => ({ input: { id: (await s.advertiser({ domain: "acme.example" })).id } }),
  },
  {
    operation: "requestAdvertiserReview",
    actions: ["advertiser.review_requested"],
    prepare: async (s) => ({ input: { id: (await s.verifiedAdvertiser()).id } }),
  },
  {
    operation: "deleteAdvertiser",
    actions: ["advertiser.archived"],
    prepare: async (s) => ({ input: { id: (await s.advertiser()).id } }),
  },
  {
    operation: "restoreAdvertiser",
    actions: ["advertiser.restored"],
    prepare: async (s) => {
      const input = { id: (await s.advertiser()).id };
      await deleteAdvertiser.run(s.owner, input);
      return { input };
    },
  },
  {
    operation: "createCampaign",
    actions: ["campaign.created"],
    events: ["campaign.created"],
    prepare: async (s) => ({
      input: { advertiser_id: (await s.advertiser()).id, name: "Winter", model: "cpc", bid_micros: 1000 },
      marks: inTest(),
    }),
  },
  {
    operation: "copyCampaign",
    actions: ["campaign.created"],
    events: ["campaign.created"],
    prepare: async (s) => ({
      input: { id: (await s.campaign()).id, advertiser_id: (await s.advertiser({ mode: "live" })).id },
    }),
  },
  {
    operation: "updateCampaign",
    actions: ["campaign.updated"],
    events: ["campaign.updated"],
    prepare: async (s) => to(await s.campaign(), { targeting: { geos: ["DE"] } }),
  },
  {
    operation: "deleteCampaign",
    actions: ["campaign.archived"],
    events: ["campaign.archived"],
    prepare: async (s) => to(await s.campaign()),
  },
  {
    operation: "restoreCampaign",
    actions: ["campaign.restored"],
    events: ["campaign.restored"],
    prepare: async (s) => {
      const campaign = await s.campaign();
      await deleteCampaign.run(s.owner, { id: campaign.id });
      return to(campaign);
    },
  },
  {
    operation: "createCreative",
    actions: ["creative.created"],
    prepare: async (s) => ({ input: { id: (await s.campaign()).id, ...CREATIVE } }),
  },
  {
    operation: "updateCreative",
    actions: ["creative.updated"],
    prepare: async (s) => ({ input: { ...(await s.creative()), cta: "Look" } }),
  },
  {
    operation: "deleteCreative",
    actions: ["creative.archived"],
    prepare: async (s) => ({ input: await s.creative() }),
  },
  {
    operation: "restoreCreative",
    actions: ["creative.restored"],
    prepare: async (s) => {
      const input = await s.creative();
      await deleteCreative.run(s.owner, input);
      return { input };
    },
  },
  {
    operation: "importProducts",
    actions: ["product_feed.imported"],
    prepare: async (s) => ({ input: { id: (await s.campaign()).id } }),
  },
  {
    operation: "setFeedSchedule",
    actions: ["feed_schedule.set"],
    prepare: async (s) => ({ input: { id: (await s.campaign()).id, url: FEED_URL } }),
  },
  {
    operation: "requestFeedFetch",
    actions: ["feed_schedule.fetch_requested"],
    prepare: async (s) => ({ input: { id: await s.scheduledCampaign(FEED_URL) } }),
  },
  {
    operation: "deleteFeedSchedule",
    actions: ["feed_schedule.deleted"],
    prepare: async (s) => ({ input: { id: await s.scheduledCampaign(FEED_URL) } }),
  },
  {
    operation: "deleteProduct",
    actions: ["product.archived"],
    prepare: async (s) => ({ input: await s.product() }),
  },
  {
    operation: "restoreProduct",
    actions: ["product.restored"],
    prepare: async (s) => {
      const input = await s.product();
      await deleteProduct.run(s.owner, deleteProduct.input.parse(input));
      return { input };
    },
  },
  { operation: "eraseUser", actions: ["visitor.erased"], prepare: () => ({ input: { user_id: "u-1" } }) },
];
