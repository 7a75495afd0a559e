import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CAP_HOLD_MS } from "../../server/ads/limits";
import { getReport } from "../../server/ads/reports/get-report";
import { ManualClock } from "../../server/kernel/clock";
import { call } from "../factories/ads";
import { makeShop, testApp } from "../factories/app";
import { arrived, caughtUp, click, LOOKS_FOR_MS, offersFor, oneOffer, reportIds, type Sent } from "../factories/calls";
import { fileFolder } from "../factories/file-folder";
import { openForFile } from "../factories/open-for-file";

const LANDING = "https://shop.example/boots";
const DATA_CENTER = "198.51.100.9";
const folder = fileFolder("svc-ranges-");
const clock = new ManualClock(new Date());
const file = path.join(folder, "ranges.txt");
writeFileSync(file, "198.51.100.0/24 # a cloud\n");
const test = await openForFile(testApp({ clock, env: { SVC_DATA_CENTER_RANGES: file } }));
const shop = await makeShop(test, { campaign: { bid_micros: 250_000 } });

const mint = async () => (await oneOffer(test, shop.serverKey)).id;
const agent = (name: string): Sent => ({ headers: { "user-agent": name } });

const INVALID: [reason: string, sent: Sent][] = [
  ["bot", agent("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")],
  ["bot", agent("curl/8.9.1")],
  ["no_agent", agent("")],
  ["data_center", { address: DATA_CENTER }],
];

describe.each(INVALID)("%s", (reason, sent) => {
  it("redirects the click without a click id, records it, and still counts the person's", async () => {
    const id = await mint();
    const answer = await click(test, id, sent);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, LANDING]);
    expect((await click(test, id)).headers.get("location")).toContain("svc_click_id=");
    const rows = await arrived(test, "clicks", { ids: [id], count: 2 });
    expect(rows.map(({ traffic, charge_nanos }) => [traffic, Number(charge_nanos)]).sort()).toEqual([
      ["", 250_000_000],
      [reason, 0],
    ]);
  });

  it("takes the impression without counting it, and still counts a valid one", async () => {
    const id = await mint();
    expect((await reportIds(test, [id], sent)).status).toBe(204);
    expect((await reportIds(test, [id])).status).toBe(204);
    const rows = await arrived(test, "impressions", { ids: [id], count: 2 });
    expect(rows.map(({ traffic }) => traffic).sort()).toEqual(["", reason]);
  });

  it("leaves impressions alone that a publisher's server reports", async () => {
    const id = await mint();
    await reportIds(test, [id], { ...sent, key: shop.serverKey });
    expect(await arrived(test, "impressions", { ids: [id], count: 1 })).toMatchObject([
      { traffic: "", reported_by: "server" },
    ]);
  });
});

it("takes the impression of a page that a browser prerenders without counting it", async () => {
  const id = await mint();
  expect((await reportIds(test, [id], { headers: { "sec-purpose": "prefetch;prerender" } })).status).toBe(204);
  expect(await arrived(test, "impressions", { ids: [id], count: 1 })).toMatchObject([{ traffic: "prefetch" }]);
});

describe("too_fast", () => {
  const mintNow = async () => {
    const id = await mint();
    clock.advance(-LOOKS_FOR_MS);
    return id;
  };

  it("does not count a click within half a second of the serving, and counts it from then on", async () => {
    const id = await mintNow();
    clock.advance(499);
    expect((await click(test, id)).headers.get("location")).toBe(LANDING);
    clock.advance(1);
    expect((await click(test, id)).headers.get("location")).toContain("svc_click_id=");
    const rows = await arrived(test, "clicks", { ids: [id], count: 2 });
    expect(rows.map(({ traffic }) => traffic).sort()).toEqual(["", "too_fast"]);
  });

  it("does not count an impression that nobody can have looked at for long enough", async () => {
    const id = await mintNow();
    await reportIds(test, [id]);
    clock.advance(1000);
    await reportIds(test, [id]);
    const rows = await arrived(test, "impressions", { ids: [id], count: 2 });
    expect(rows.map(({ traffic }) => traffic).sort()).toEqual(["", "too_fast"]);
  });
});

it("keeps a place in a frequency cap free when only a bot looked", async () => {
  const capped = await makeShop(test, { campaign: { caps: [{ count: 1, window_seconds: 86_400, per: "campaign" }] } });
  const user = { query: "warm boots", user_id: "u-bot" };
  const [offer] = (await offersFor(test, capped.serverKey, user)).offers;
  await reportIds(test, [offer?.id], agent("curl/8.9.1"));
  // The reservation of an offer that nobody saw ends shortly after the offer.
  clock.advance(CAP_HOLD_MS + 1);
  expect((await offersFor(test, capped.serverKey, user)).offers).toHaveLength(1);
});

it("shows every reason in reports, apart from what counts", async () => {
  await caughtUp(test);
  clock.advance(1);
  const report = await call(shop.ctx, getReport, { mode: "live", group_by: "traffic" });
  const row = (reason: string) => report.rows.find(({ traffic }) => traffic === reason);
  for (const reason of ["bot", "no_agent", "prefetch", "data_center", "too_fast"]) {
    expect(row(reason), reason).toMatchObject({ clicks: 0, impressions: 0, spend_micros: 0 });
    if (reason !== "prefetch") expect(row(reason)?.invalid_clicks, reason).toBeGreaterThan(0);
    expect(row(reason)?.invalid_impressions, reason).toBeGreaterThan(0);
  }
  expect(report.totals.spend_micros).toBe((row("valid")?.clicks ?? 0) * 250_000);
});
