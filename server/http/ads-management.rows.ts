import { z } from "zod";
import type { AdsCtx } from "../ads/ads-ctx";
import { Advertiser } from "../ads/advertisers/advertiser";
import { CreateAdvertiser, createAdvertiser } from "../ads/advertisers/create-advertiser";
import { DeleteAdvertiser, deleteAdvertiser } from "../ads/advertisers/delete-advertiser";
import { GetAdvertiser, getAdvertiser } from "../ads/advertisers/get-advertiser";
import { ListAdvertisers, listAdvertisers } from "../ads/advertisers/list-advertisers";
import { UpdateAdvertiser, updateAdvertiser } from "../ads/advertisers/update-advertiser";
import { Campaign } from "../ads/campaigns/campaign";
import { CreateCampaign, createCampaign } from "../ads/campaigns/create-campaign";
import { DeleteCampaign, deleteCampaign } from "../ads/campaigns/delete-campaign";
import { GetCampaign, getCampaign } from "../ads/campaigns/get-campaign";
import { ListCampaigns, listCampaigns } from "../ads/campaigns/list-campaigns";
import { UpdateCampaign, updateCampaign } from "../ads/campaigns/update-campaign";
import { Channel } from "../ads/channels/channel";
import { ChannelKey, CreatedChannelKey } from "../ads/channels/channel-key";
import { CreateChannel, createChannel } from "../ads/channels/create-channel";
import { CreateChannelKey, createChannelKey } from "../ads/channels/create-channel-key";
import { DeleteChannel, deleteChannel } from "../ads/channels/delete-channel";
import { GetChannel, getChannel } from "../ads/channels/get-channel";
import { ListChannelKeys, listChannelKeys } from "../ads/channels/list-channel-keys";
import { ListChannels, listChannels } from "../ads/channels/list-channels";
import { RevokeChannelKey, revokeChannelKey } from "../ads/channels/revoke-channel-key";
import { UpdateChannel, updateChannel } from "../ads/channels/update-channel";
import { Conversion } from "../ads/conversions/conversion";
import { GetPixel, getPixel, Pixel } from "../ads/conversions/get-pixel";
import { ListConversions, listConversions } from "../ads/conversions/list-conversions";
import { CreateCreative, createCreative } from "../ads/creatives/create-creative";
import { Creative } from "../ads/creatives/creative";
import { DeleteCreative, deleteCreative } from "../ads/creatives/delete-creative";
import { GetCreative, getCreative } from "../ads/creatives/get-creative";
import { ListCreatives, listCreatives } from "../ads/creatives/list-creatives";
import { UpdateCreative, updateCreative } from "../ads/creatives/update-creative";
import { ExplainOffers, explainOffers } from "../ads/explain/explain-offers";
import { Explanation } from "../ads/explain/explanation";
import { DeleteProduct, deleteProduct } from "../ads/products/delete-product";
import { FEED_MEDIA_TYPES } from "../ads/products/feed-format";
import { FeedResult } from "../ads/products/feed-result";
import { GetProduct, getProduct } from "../ads/products/get-product";
import { ImportProducts, importProducts } from "../ads/products/import-products";
import { ListProducts, listProducts } from "../ads/products/list-products";
import { Product } from "../ads/products/product";
import { GetReport, getReport } from "../ads/reports/get-report";
import { Report } from "../ads/reports/report";
import { reportCsv } from "../ads/reports/report-csv";
import { EraseUser, eraseUser } from "../ads/users/erase-user";
import { pageOf } from "../kernel/page";
import { type AnyEndpoint, type EndpointRow, endpoint } from "./endpoint";

const NOTHING = z.void();

/** What the rows of one kind of verb have in common, so that each row below shows only what is its own. */
const CREATE = { method: "POST", access: "ads:write", cost: "normal", idempotent: true, status: 201 } as const;
const LIST = { method: "GET", access: "ads:read", cost: "cheap", idempotent: false, status: 200 } as const;
const GET = LIST;
const UPDATE = { method: "PATCH", access: "ads:write", cost: "normal", idempotent: false, status: 200 } as const;
const DELETE = { method: "DELETE", access: "ads:write", cost: "normal", idempotent: false, status: 204 } as const;

type Shared = "method" | "access" | "cost" | "idempotent" | "status" | "path" | "tag";

/** Rows under one path and one tag of the documentation. */
const under =
  (path: string, tag: string) =>
  <I extends z.ZodObject, O extends z.ZodType>(
    shared: Pick<EndpointRow<AdsCtx, I, O>, Exclude<Shared, "path" | "tag">>,
    row: Omit<EndpointRow<AdsCtx, I, O>, Shared> & { path?: string },
  ): AnyEndpoint<AdsCtx> =>
    endpoint({ ...shared, ...row, tag, path: path + (row.path ?? "") });

const channels = under("/v1/ads/channels", "Channels");
const advertisers = under("/v1/ads/advertisers", "Advertisers");
const campaigns = under("/v1/ads/campaigns", "Campaigns");
const creatives = under("/v1/ads/campaigns/{id}/creatives", "Creatives");
const products = under("/v1/ads/campaigns/{id}/products", "Products");

/** Every endpoint under `/v1/ads`. */
export const adsManagementRows: AnyEndpoint<AdsCtx>[] = [
  channels(CREATE, {
    id: "createChannel",
    summary: "Create a channel",
    input: CreateChannel,
    output: Channel,
    run: createChannel,
  }),
  channels(LIST, {
    id: "listChannels",
    summary: "List channels",
    input: ListChannels,
    output: pageOf(Channel),
    run: listChannels,
  }),
  channels(GET, {
    id: "getChannel",
    path: "/{id}",
    summary: "Get a channel",
    input: GetChannel,
    output: Channel,
    run: getChannel,
  }),
  channels(UPDATE, {
    id: "updateChannel",
    path: "/{id}",
    summary: "Change a channel",
    input: UpdateChannel,
    output: Channel,
    run: updateChannel,
  }),
  channels(DELETE, {
    id: "deleteChannel",
    path: "/{id}",
    summary: "Archive a channel and revoke its keys",
    input: DeleteChannel,
    output: NOTHING,
    run: deleteChannel,
  }),
  channels(CREATE, {
    id: "createChannelKey",
    path: "/{id}/keys",
    summary: "Create a channel key, shown once",
    input: CreateChannelKey,
    output: CreatedChannelKey,
    run: createChannelKey,
  }),
  channels(LIST, {
    id: "listChannelKeys",
    path: "/{id}/keys",
    summary: "List a channel's keys",
    input: ListChannelKeys,
    output: pageOf(ChannelKey),
    run: listChannelKeys,
  }),
  channels(
    { ...CREATE, idempotent: false, status: 200 },
    {
      id: "revokeChannelKey",
      path: "/{id}/keys/{key_id}/revoke",
      summary: "Revoke a channel key for good",
      input: RevokeChannelKey,
      output: ChannelKey,
      run: revokeChannelKey,
    },
  ),
  advertisers(CREATE, {
    id: "createAdvertiser",
    summary: "Create an advertiser",
    input: CreateAdvertiser,
    output: Advertiser,
    run: createAdvertiser,
  }),
  advertisers(LIST, {
    id: "listAdvertisers",
    summary: "List advertisers",
    input: ListAdvertisers,
    output: pageOf(Advertiser),
    run: listAdvertisers,
  }),
  advertisers(GET, {
    id: "getAdvertiser",
    path: "/{id}",
    summary: "Get an advertiser",
    input: GetAdvertiser,
    output: Advertiser,
    run: getAdvertiser,
  }),
  advertisers(UPDATE, {
    id: "updateAdvertiser",
    path: "/{id}",
    summary: "Change an advertiser",
    input: UpdateAdvertiser,
    output: Advertiser,
    run: updateAdvertiser,
  }),
  advertisers(DELETE, {
    id: "deleteAdvertiser",
    path: "/{id}",
    summary: "Archive an advertiser without campaigns",
    input: DeleteAdvertiser,
    output: NOTHING,
    run: deleteAdvertiser,
  }),
  campaigns(CREATE, {
    id: "createCampaign",
    summary: "Create a campaign",
    input: CreateCampaign,
    output: Campaign,
    run: createCampaign,
  }),
  campaigns(LIST, {
    id: "listCampaigns",
    summary: "List campaigns",
    input: ListCampaigns,
    output: pageOf(Campaign),
    run: listCampaigns,
  }),
  campaigns(GET, {
    id: "getCampaign",
    path: "/{id}",
    summary: "Get a campaign",
    input: GetCampaign,
    output: Campaign,
    run: getCampaign,
  }),
  campaigns(UPDATE, {
    id: "updateCampaign",
    path: "/{id}",
    summary: "Change, pause, resume or end a campaign",
    input: UpdateCampaign,
    output: Campaign,
    run: updateCampaign,
  }),
  campaigns(DELETE, {
    id: "deleteCampaign",
    path: "/{id}",
    summary: "Archive a campaign",
    input: DeleteCampaign,
    output: NOTHING,
    run: deleteCampaign,
  }),
  creatives(CREATE, {
    id: "createCreative",
    summary: "Add a creative to a campaign",
    input: CreateCreative,
    output: Creative,
    run: createCreative,
  }),
  creatives(LIST, {
    id: "listCreatives",
    summary: "List a campaign's creatives",
    input: ListCreatives,
    output: pageOf(Creative),
    run: listCreatives,
  }),
  creatives(GET, {
    id: "getCreative",
    path: "/{creative_id}",
    summary: "Get a creative",
    input: GetCreative,
    output: Creative,
    run: getCreative,
  }),
  creatives(UPDATE, {
    id: "updateCreative",
    path: "/{creative_id}",
    summary: "Change a creative",
    input: UpdateCreative,
    output: Creative,
    run: updateCreative,
  }),
  creatives(DELETE, {
    id: "deleteCreative",
    path: "/{creative_id}",
    summary: "Archive a creative",
    input: DeleteCreative,
    output: NOTHING,
    run: deleteCreative,
  }),
  products(
    { ...CREATE, cost: "bulk", idempotent: false, status: 200 },
    {
      id: "importProducts",
      summary: "Import a product feed, streamed",
      input: ImportProducts,
      upload: [...FEED_MEDIA_TYPES],
      output: FeedResult,
      run: importProducts,
    },
  ),
  products(LIST, {
    id: "listProducts",
    summary: "List a campaign's products",
    input: ListProducts,
    output: pageOf(Product),
    run: listProducts,
  }),
  products(GET, {
    id: "getProduct",
    path: "/{product_id}",
    summary: "Get a product",
    input: GetProduct,
    output: Product,
    run: getProduct,
  }),
  products(DELETE, {
    id: "deleteProduct",
    path: "/{product_id}",
    summary: "Archive a product until a feed names it again",
    input: DeleteProduct,
    output: NOTHING,
    run: deleteProduct,
  }),
  under("/v1/ads/advertisers/{id}/pixel", "Conversions")(GET, {
    id: "getPixel",
    summary: "What an advertiser's pages need to report orders",
    input: GetPixel,
    output: Pixel,
    run: getPixel,
  }),
  under("/v1/ads/conversions", "Conversions")(LIST, {
    id: "listConversions",
    summary: "List reported orders",
    input: ListConversions,
    output: pageOf(Conversion),
    run: listConversions,
  }),
  under("/v1/ads/reports", "Reports")(LIST, {
    id: "getReport",
    summary: "Report on channels and campaigns",
    input: GetReport,
    output: Report,
    csv: reportCsv,
    run: getReport,
  }),
  under("/v1/ads/explain", "Explain")(
    { ...LIST, method: "POST" },
    {
      id: "explainOffers",
      summary: "Why offers win or lose a request",
      input: ExplainOffers,
      output: Explanation,
      run: explainOffers,
    },
  ),
  under("/v1/ads/users/{user_id}", "Users")(DELETE, {
    id: "eraseUser",
    summary: "Forget the signals remembered about a user",
    input: EraseUser,
    output: NOTHING,
    run: eraseUser,
  }),
];
