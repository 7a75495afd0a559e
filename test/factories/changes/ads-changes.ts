import { deleteAdvertiser } from "../../../server/ads/advertisers/delete-advertiser";
import { deleteCampaign } from "../../../server/ads/campaigns/delete-campaign";
import { deleteChannel } from "../../../server/ads/channels/delete-channel";
import { deleteCreative } from "../../../server/ads/creatives/delete-creative";
import { deleteProduct } from "../../../server/ads/products/delete-product";
import { CREATIVE } from "../account-scene";
import { type Change, inTest, to } from "./change";

/** Nothing is ever fetched from it. */
const FEED_URL = "https://shop.example/feed.csv";

export const ADS_CHANGES: readonly Change[] = [
  {
    ...{ row: "createChannel", mutation: "channels.create", actions: ["channel.created"] },
    prepare: () => ({ input: { name: "Shop" } }),
  },
  {
    ...{ mutation: "channels.copy", actions: ["channel.created"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id } }),
  },
  {
    ...{ row: "updateChannel", mutation: "channels.update", actions: ["channel.updated"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id, name: "Store" } }),
  },
  {
    ...{ row: "deleteChannel", mutation: "channels.delete", actions: ["channel.archived"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id } }),
  },
  {
    ...{ row: "restoreChannel", mutation: "channels.restore", actions: ["channel.restored"] },
    prepare: async (s) => {
      const input = { id: (await s.channel()).id };
      await deleteChannel.run(s.owner, input);
      return { input };
    },
  },
  {
    ...{ row: "createChannelKey", mutation: "channels.createKey", actions: ["channel_key.created"] },
    prepare: async (s) => ({ input: { id: (await s.channel()).id, kind: "server" } }),
  },
  {
    ...{ row: "revokeChannelKey", mutation: "channels.revokeKey", actions: ["channel_key.revoked"] },
    prepare: async (s) => ({ input: await s.channelKey() }),
  },
  {
    ...{ row: "createAdvertiser", mutation: "advertisers.create", actions: ["advertiser.created"] },
    prepare: () => ({ input: { name: "Acme" } }),
  },
  {
    ...{ row: "updateAdvertiser", mutation: "advertisers.update", actions: ["advertiser.updated"] },
    prepare: async (s) => ({ input: { id: (await s.advertiser()).id, domain: "acme.example" } }),
  },
  {
    ...{ row: "verifyAdvertiserDomain", mutation: "advertisers.verifyDomain", actions: ["advertiser.domain_verified"] },
    prepare: async (s) => ({ input: { id: (await s.advertiser({ domain: "acme.example" })).id } }),
  },
  {
    ...{
      row: "requestAdvertiserReview",
      mutation: "advertisers.requestReview",
      actions: ["advertiser.review_requested"],
    },
    prepare: async (s) => ({ input: { id: (await s.verifiedAdvertiser()).id } }),
  },
  {
    ...{ row: "deleteAdvertiser", mutation: "advertisers.delete", actions: ["advertiser.archived"] },
    prepare: async (s) => ({ input: { id: (await s.advertiser()).id } }),
  },
  {
    ...{ row: "restoreAdvertiser", mutation: "advertisers.restore", actions: ["advertiser.restored"] },
    prepare: async (s) => {
      const input = { id: (await s.advertiser()).id };
      await deleteAdvertiser.run(s.owner, input);
      return { input };
    },
  },
  {
    ...{
      row: "createCampaign",
      mutation: "campaigns.create",
      actions: ["campaign.created"],
      events: ["campaign.created"],
    },
    prepare: async (s) => ({
      input: { advertiser_id: (await s.advertiser()).id, name: "Winter", model: "cpc", bid_micros: 1000 },
      marks: inTest(),
    }),
  },
  {
    ...{ mutation: "campaigns.copy", actions: ["campaign.created"], events: ["campaign.created"] },
    prepare: async (s) => ({
      input: { id: (await s.campaign()).id, advertiser_id: (await s.advertiser({ mode: "live" })).id },
    }),
  },
  {
    ...{
      row: "updateCampaign",
      mutation: "campaigns.update",
      actions: ["campaign.updated"],
      events: ["campaign.updated"],
    },
    prepare: async (s) => to(await s.campaign(), { targeting: { geos: ["DE"] } }),
  },
  {
    ...{
      row: "deleteCampaign",
      mutation: "campaigns.delete",
      actions: ["campaign.archived"],
      events: ["campaign.archived"],
    },
    prepare: async (s) => to(await s.campaign()),
  },
  {
    ...{
      row: "restoreCampaign",
      mutation: "campaigns.restore",
      actions: ["campaign.restored"],
      events: ["campaign.restored"],
    },
    prepare: async (s) => {
      const campaign = await s.campaign();
      await deleteCampaign.run(s.owner, { id: campaign.id });
      return to(campaign);
    },
  },
  {
    ...{ row: "createCreative", mutation: "campaigns.createCreative", actions: ["creative.created"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id, ...CREATIVE } }),
  },
  {
    ...{ row: "updateCreative", mutation: "campaigns.updateCreative", actions: ["creative.updated"] },
    prepare: async (s) => ({ input: { ...(await s.creative()), cta: "Look" } }),
  },
  {
    ...{ row: "deleteCreative", mutation: "campaigns.deleteCreative", actions: ["creative.archived"] },
    prepare: async (s) => ({ input: await s.creative() }),
  },
  {
    ...{ row: "restoreCreative", mutation: "campaigns.restoreCreative", actions: ["creative.restored"] },
    prepare: async (s) => {
      const input = await s.creative();
      await deleteCreative.run(s.owner, input);
      return { input };
    },
  },
  {
    ...{ row: "importProducts", mutation: "campaigns.importProducts", actions: ["product_feed.imported"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id } }),
  },
  {
    ...{ row: "setFeedSchedule", mutation: "campaigns.setFeedSchedule", actions: ["feed_schedule.set"] },
    prepare: async (s) => ({ input: { id: (await s.campaign()).id, url: FEED_URL } }),
  },
  {
    ...{ row: "requestFeedFetch", mutation: "campaigns.requestFeedFetch", actions: ["feed_schedule.fetch_requested"] },
    prepare: async (s) => ({ input: { id: await s.scheduledCampaign(FEED_URL) } }),
  },
  {
    ...{ row: "deleteFeedSchedule", mutation: "campaigns.deleteFeedSchedule", actions: ["feed_schedule.deleted"] },
    prepare: async (s) => ({ input: { id: await s.scheduledCampaign(FEED_URL) } }),
  },
  {
    ...{ row: "deleteProduct", mutation: "campaigns.deleteProduct", actions: ["product.archived"] },
    prepare: async (s) => ({ input: await s.product() }),
  },
  {
    ...{ row: "restoreProduct", mutation: "campaigns.restoreProduct", actions: ["product.restored"] },
    prepare: async (s) => {
      const input = await s.product();
      await deleteProduct.run(s.owner, deleteProduct.input.parse(input));
      return { input };
    },
  },
  { row: "eraseUser", actions: ["visitor.erased"], prepare: () => ({ input: { user_id: "u-1" } }) },
];
