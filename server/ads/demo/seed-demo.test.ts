import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { pino } from "pino";
import { expect, test } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { ManualClock } from "../../kernel/clock";
import { startCatalog } from "../catalog/start-catalog";
import { ChannelRefs } from "../network-channels/channel-refs";
import { decideOffers } from "../ranking/decide-offers";
import { seedDemo } from "./seed-demo";

const now = new Date("2026-11-20T12:00:00Z");
const clock = new ManualClock(now);
const input = {
  tenantId: "ten_demo",
  landingBase: "http://localhost:3000/demo/landing",
  origin: "http://localhost:3000",
  currency: "EUR",
};

const database = await openForFile(testDatabase());
await database.db.tenant.create({ data: { id: "ten_demo", name: "Demo", isDemo: true, createdAt: now } });
await database.db.tenant.create({ data: { id: "ten_new", name: "New", createdAt: now } });

test("seeding twice creates one demo, which serves every publisher's channel", async () => {
  const { channelId } = await seedDemo({ ...database, clock }, input);
  const count = async () => [await database.db.campaign.count(), await database.db.product.count()];
  const first = await count();
  expect(await seedDemo({ ...database, clock }, input)).toEqual({ channelId });
  expect(await count()).toEqual(first);
  expect(first[0]).toBe(50);
  expect(first[1]).toBeGreaterThanOrEqual(260);
  expect(await database.db.product.groupBy({ by: "currency" })).toEqual([{ currency: "EUR" }]);
  await database.db.channel.create({
    data: { id: "chn_new", tenantId: "ten_new", mode: "test", name: "New", createdAt: now, updatedAt: now },
  });
  const catalog = await startCatalog({
    sql: database.sql,
    clock,
    alarms: testAlarms({ sql: database.sql }),
    automaticReview: false,
    channelRefs: new ChannelRefs(randomBytes(32)),
    log: pino({ level: "silent" }),
  });
  const offers = (query: string, locale: string, channel: string) =>
    decideOffers(
      catalog.snapshot(),
      {
        query,
        locale,
        channelId: channel,
        context: "",
        placement: "sponsored_result",
        device: "desktop",
        geo: "",
        limit: 8,
        signals: [],
      },
      { now, seed: "" },
    ).candidates;
  for (const channel of [channelId, "chn_new"]) {
    for (const [query, locale] of [
      ["wireless headphones", "en"],
      ["I need a laptop for college", "en"],
      ["running shoes for flat feet", "en"],
      ["travel insurance", "en"],
      ["girokonto eröffnen", "de"],
      ["linge de lit", "fr"],
      ["aceite de oliva", "es"],
    ] as const) {
      const found = offers(query, locale, channel);
      expect(found.length, query).toBeGreaterThan(0);
      expect(found.every(({ item }) => item.landingUrl.startsWith(input.landingBase))).toBe(true);
    }
    expect(offers("what is the capital of france", "en", channel)).toEqual([]);
  }
  await catalog.stop();
});

test("each product has a picture that this installation serves, and each picture a product", async () => {
  await seedDemo({ ...database, clock }, input);
  const products = await database.db.product.findMany({ where: { campaign: { tenantId: input.tenantId } } });
  const files = readdirSync("app/demo/pictures").filter((file) => file.endsWith(".svg"));
  const served = files.map((file) => `${input.origin}/demo/pictures/${file}`);
  expect([...new Set(products.map(({ imageLink }) => imageLink))].sort()).toEqual(served.sort());
});
