import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { uuidv7 } from "../../server/kernel/ids";
import { makeShop, ORIGIN, testApp } from "../factories/app";
import { arrived, caughtUp, eventsOf, oneOffer, reportIds } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

/** What happens when a claim has been committed. */
let onCommitted = () => {};
const test = await openForFile(testApp({ atStep: (step) => step === "claim.committed" && onCommitted() }));
const cpm = { model: "cpm", bid_micros: 1_000_000 };
const shop = await makeShop(test, { campaign: cpm });
const budgeted = await makeShop(test, { campaign: { ...cpm, daily_budget_micros: 1_000_000_000 } });
beforeEach(() => {
  onCommitted = () => {};
});

const mint = async (from = shop) => (await oneOffer(test, from.serverKey)).id;
const outcomes = async (ids: readonly string[]) => {
  await caughtUp(test);
  const rows = await eventsOf(test, "impressions", ids);
  return rows.map(({ offer_id, traffic }) => [offer_id, traffic]).sort();
};
const countedOnce = (ids: readonly string[]) => ids.map((id) => [id, ""]).sort();

/** Postgres fails each claim of an offer of this campaign. */
async function failClaimsOf(campaignId: string): Promise<() => Promise<unknown>> {
  const { sql } = test.engines;
  await sql.query(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'of this test' USING ERRCODE = '57014'; END $$`);
  await sql.query(`CREATE TRIGGER failing BEFORE UPDATE ON offers FOR EACH ROW
    WHEN (OLD.campaign_id = '${campaignId}') EXECUTE FUNCTION fail()`);
  return () => sql.query("DROP TRIGGER failing ON offers");
}

describe("a report that fails and is sent again", () => {
  it("counts each impression once and none as a duplicate when Postgres failed on some of them", async () => {
    const ids = [await mint(), await mint(budgeted), await mint(), await mint(budgeted)];
    const goOn = await failClaimsOf(budgeted.campaign.id);
    expect((await reportIds(test, ids)).status).toBe(503);
    expect((await reportIds(test, ids)).status).toBe(503);
    await goOn();
    expect(await outcomes(ids)).toEqual([]);
    expect((await reportIds(test, ids)).status).toBe(204);
    expect(await outcomes(ids)).toEqual(countedOnce(ids));
    const { rows } = await test.engines.sql.query("SELECT count(*)::int AS n FROM ledger WHERE offer_id = ANY ($1)", [
      ids,
    ]);
    expect(rows).toEqual([{ n: ids.length }]);
  });

  it("counts each impression once and none as a duplicate when the answer to the commit was lost", async () => {
    const ids = [await mint(), await mint()];
    onCommitted = () => {
      throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    };
    expect((await reportIds(test, ids)).status).toBe(503);
    onCommitted = () => {};
    expect((await reportIds(test, ids)).status).toBe(204);
    expect(await outcomes(ids)).toEqual(countedOnce(ids));
    expect((await reportIds(test, ids)).status).toBe(204);
    expect(await outcomes(ids)).toEqual([...countedOnce(ids), ...ids.map((id) => [id, "duplicate"])].sort());
  });
});

describe("a report of offers with and without a budget", () => {
  it("is committed as a whole; what costs nothing is never over a budget", async () => {
    const clicks = await makeShop(test, { campaign: { model: "cpc", daily_budget_micros: 600_000 } });
    const ids = [await mint(budgeted), await mint(clicks), await mint()];
    expect((await reportIds(test, ids)).status).toBe(204);
    expect(await outcomes(ids)).toEqual(countedOnce(ids));
  });
});

describe("X-Ignored-Ids", () => {
  const NO_OFFERS = ["<offer_id>", "", "undefined", randomUUID()];

  it("counts ids that cannot be that of an offer, by their shape, where the page can read it", async () => {
    const id = await mint();
    const answer = await reportIds(test, [...NO_OFFERS, uuidv7(Date.now()), id], { headers: { origin: ORIGIN } });
    expect([answer.status, answer.headers.get("x-ignored-ids")]).toEqual([204, "4"]);
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Ignored-Ids");
    await arrived(test, "impressions", { ids: [id], count: 1 });
  });

  it("is absent when every id can be that of an offer, and its sum is counted", async () => {
    const before = test.app.ignoredImpressionIds();
    expect((await reportIds(test, [await mint()])).headers.get("x-ignored-ids")).toBeNull();
    await reportIds(test, NO_OFFERS);
    expect(test.app.ignoredImpressionIds() - before).toBe(NO_OFFERS.length);
  });
});
