import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../factories/wait-for";
import { first, offerId, openWidgetLab, SLOT, slotOf, type Visit } from "./widget-visit";

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

describe("reporting impressions", () => {
  it("sends one batch as text/plain without key or cookies after a second without news", async () => {
    visit.answer([visit.offer(1), visit.offer(2)]);
    await visit.openFrozen(slotOf(2));
    await visit.page.clock.runFor(1_999);
    expect(visit.stub.impressionBatches).toEqual([]);
    await visit.page.clock.runFor(1);
    await waitFor(() => expect(visit.batches().map((ids) => ids.sort())).toEqual([[offerId(1), offerId(2)]]));
    const { headers, body } = first(visit.stub.impressionBatches);
    expect(headers["content-type"]).toBe("text/plain;charset=UTF-8");
    expect(Object.keys(JSON.parse(body))).toEqual(["ids"]);
    expect(headers["x-svc-api-key"]).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  });

  it("sends at once when the tab hides", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(1_000);
    await visit.setHidden(true);
    await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
    expect(visit.stub.impressionBatches[0]?.headers["content-type"]).toBe("text/plain;charset=UTF-8");
  });

  it("sends when the reader follows a link away", async () => {
    visit.site.pages.set("/next", { html: "next" });
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(1_000);
    await visit.page.goto(`${visit.site.origin}/next`);
    await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
  });

  it("sends on pagehide alone (simulated: Chromium says hidden before it), and no second time when the tab hides", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(1_000);
    await visit.page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pagehide")));
    await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
    await visit.setHidden(true);
    await visit.roundTrips();
    expect(visit.batches()).toEqual([[offerId(1)]]);
  });

  it("reports each id once, also when the slot is mounted again", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(2_000);
    await waitFor(() => expect(visit.batches()).toHaveLength(1));
    await visit.page.evaluate(() => {
      const slot = document.querySelector("[data-svc-offers]");
      slot?.remove();
      if (slot) setTimeout(() => document.body.prepend(slot), 10);
    });
    await visit.page.clock.runFor(10);
    await waitFor(async () => expect((await visit.events()).filter(([name]) => name === "rendered")).toHaveLength(2));
    await visit.observed();
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([offerId(1), offerId(1)]);
    await visit.setHidden(true);
    await visit.roundTrips();
    expect(visit.batches()).toEqual([[offerId(1)]]);
  });

  it("cuts batches at 256 ids", async () => {
    visit.stub.answer = ({ query }) => {
      const offers = Array.from({ length: 8 }, (_, n) => visit.offer(Number(query) * 8 + n));
      return { body: { offers } };
    };
    const slots = Array.from(
      { length: 40 },
      (_, n) => `<div data-svc-offers data-query="${n}" data-limit="8" data-layout="inline"></div>`,
    );
    await visit.page.setViewportSize({ width: 1_000, height: 22_000 });
    await visit.openFrozen(slots.join(""));
    await waitFor(async () => expect((await visit.events()).filter(([name]) => name === "rendered")).toHaveLength(40));
    await visit.observed();
    await visit.page.clock.runFor(2_000);
    await waitFor(() =>
      expect(
        visit
          .batches()
          .map((ids) => ids.length)
          .sort(),
      ).toEqual([256, 64]),
    );
    expect(new Set(visit.batches().flat()).size).toBe(320);
  });

  it("reports again, once, what met a dead network", async () => {
    await visit.openFrozen(SLOT);
    await visit.context.setOffline(true);
    await visit.page.clock.runFor(2_000);
    await waitFor(() => expect(visit.consoleLines.join()).toContain("ERR_INTERNET_DISCONNECTED"));
    await visit.context.setOffline(false);
    await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
  });

  it("keeps what it cannot send when the tab hides without a network, and sends it once", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(1_000);
    await visit.context.setOffline(true);
    await visit.setHidden(true);
    await waitFor(() => expect(visit.consoleLines.join()).toContain("ERR_INTERNET_DISCONNECTED"));
    await visit.context.setOffline(false);
    await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
    await visit.setHidden(false);
    await visit.setHidden(true);
    await visit.roundTrips();
    expect(visit.batches()).toEqual([[offerId(1)]]);
  });

  it.each([429, 500, 503])("reports again, once and after five seconds, what was refused with %i", async (status) => {
    visit.stub.impressionStatus = status;
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(2_000);
    await waitFor(() => expect(visit.batches()).toHaveLength(1));
    await visit.roundTrips();
    await visit.page.clock.runFor(4_999);
    await visit.roundTrips();
    expect(visit.batches()).toHaveLength(1);
    await visit.page.clock.runFor(1);
    await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)], [offerId(1)]]));
    await visit.roundTrips();
    await visit.page.clock.runFor(20_000);
    await visit.roundTrips();
    expect(visit.batches()).toHaveLength(2);
  });

  it("does not report again what was refused permanently", async () => {
    visit.stub.impressionStatus = 400;
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(2_000);
    await waitFor(() => expect(visit.batches()).toHaveLength(1));
    await visit.roundTrips();
    await visit.page.clock.runFor(20_000);
    await visit.setHidden(true);
    await visit.roundTrips();
    expect(visit.batches()).toHaveLength(1);
  });
});
