import { beforeEach, expect, it } from "vitest";
import {
  adsTest,
  call,
  feedBoot,
  makeCampaign,
  makeChannel,
  makeCreative,
  ndjson,
  refusal,
  uploadFeed,
} from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { openForFile } from "../../../test/factories/open-for-file";
import { createChannelKey } from "../channels/create-channel-key";
import { revokeChannelKey } from "../channels/revoke-channel-key";
import { updateChannel } from "../channels/update-channel";
import { updateCreative } from "../creatives/update-creative";
import { eraseUser } from "../users/erase-user";
import { updateCampaign } from "./update-campaign";

let ctx: AdsCtx;
const t = await openForFile(adsTest());
beforeEach(async () => {
  ctx = (await t.tenant()).person;
});

/** The audit log's entries whose action has this prefix, oldest first. */
const auditOf = (action: string) =>
  t.db.auditEntry.findMany({
    where: { tenantId: ctx.actor.tenantId, action: { startsWith: action } },
    orderBy: { sequence: "asc" },
  });

it("records what an update changed, and nothing for an update without changes", async () => {
  const { id } = await makeCampaign(ctx, { caps: [{ count: 2, window_seconds: 60, per: "campaign" }] });
  const channel = await makeChannel(ctx);
  const creative = await makeCreative(ctx, id, { price: { amount: 10, currency: "USD" } });
  for (let i = 0; i < 2; i++) {
    await call(ctx, updateCampaign, {
      id,
      status: "paused",
      targeting: { geos: ["DE"] },
      caps: [{ per: "campaign", window_seconds: 60, count: 2 }],
    });
    await call(ctx, updateChannel, { id: channel.id, origins: ["https://a.example"], strictness: "strict" });
    await call(ctx, updateCreative, { id, creative_id: creative.id, price: null });
  }
  const nowhere = { geos: [], devices: [], locales: [], placements: [], categories: [], channels: [] };
  const [campaigns, channels, creatives] = [
    await auditOf("campaign.u"),
    await auditOf("channel.u"),
    await auditOf("creative.u"),
  ];
  expect(campaigns.map(({ details }) => details)).toEqual([
    {
      changes: {
        status: { from: "active", to: "paused" },
        targeting: { from: nowhere, to: { ...nowhere, geos: ["DE"] } },
      },
    },
  ]);
  expect(channels.map(({ details }) => details)).toEqual([
    { changes: { origins: { from: [], to: ["https://a.example"] }, strictness: { from: "balanced", to: "strict" } } },
  ]);
  expect(creatives.map(({ details }) => details)).toEqual([
    { changes: { price: { from: { amount: 10, currency: "USD" }, to: null } } },
  ]);
});

it("records a channel key's last four characters but never the key, and no second revocation", async () => {
  const channel = await makeChannel(ctx);
  const { id, key } = await call(ctx, createChannelKey, { id: channel.id, kind: "server" });
  for (let i = 0; i < 2; i++) {
    await call(ctx, revokeChannelKey, { id: channel.id, key_id: id });
  }
  const entries = await auditOf("channel_key");
  expect(entries.map(({ action }) => action)).toEqual(["channel_key.created", "channel_key.revoked"]);
  expect(entries[1]?.targets).toEqual([
    { type: "channel_key", id, name: `…${key.slice(-4)}` },
    { type: "channel", id: channel.id, name: channel.name },
  ]);
  expect(JSON.stringify(entries.map(({ targets, details }) => [targets, details]))).not.toContain(key.slice(8, 48));
});

it("records how many products of a feed were accepted and rejected, also for a broken feed", async () => {
  const { id } = await makeCampaign(ctx);
  await uploadFeed(ctx, ndjson(feedBoot("1"), feedBoot("2"), { id: "3" }), { id });
  const cut = `id,title,link\n4,Boot 4,https://shop.example/4\n5,"Boot`;
  await refusal(uploadFeed(ctx, cut, { id, content_type: "text/csv" }));
  const entries = await auditOf("product_feed.imported");
  expect(entries.map(({ details }) => details)).toEqual([
    { mode: "merge", accepted: 2, rejected: 1 },
    { mode: "merge", accepted: 1, rejected: 0, broken: "broken_csv" },
  ]);
});

it("records that a visitor was erased, but not which one", async () => {
  await call(ctx, eraseUser, { user_id: "visitor-4711" });
  const [entry] = await auditOf("visitor.erased");
  expect(entry?.targets).toEqual([]);
  expect(JSON.stringify(entry?.details)).not.toContain("4711");
});
