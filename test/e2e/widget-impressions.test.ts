import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { first, offerId, openWidgetLab, SLOT, type Visit, type WidgetLab } from "./widget-visit";

let lab: WidgetLab;
let visit: Visit;

beforeAll(async () => {
  lab = await openWidgetLab();
}, 120_000);
afterAll(() => lab?.close());
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

describe("counting what was seen", () => {
  it("counts after one second in view and not before", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(999);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(1);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("never counts at 49 % of the pixels, and counts at 51 %", async () => {
    await visit.openFrozen(`<div style="height:900px"></div>${SLOT}<div style="height:2000px"></div>`);
    await visit.showShare(0.49);
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([]);
    await visit.showShare(0.51);
    await visit.page.clock.runFor(1_000);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("asks a card of 242,500 px and more for 30 % only", async () => {
    const style = `<style>[data-svc-offers]::part(offer){height:600px}</style>`;
    await visit.openFrozen(`${style}<div style="height:900px"></div>${SLOT}<div style="height:2000px"></div>`);
    await visit.showShare(0.29);
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([]);
    await visit.showShare(0.31);
    await visit.page.clock.runFor(1_000);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("starts the second anew when the card leaves the viewport", async () => {
    await visit.openFrozen(`${SLOT}<div style="height:3000px"></div>`);
    await visit.page.clock.runFor(900);
    await visit.scrollTo(2_000);
    await visit.page.clock.runFor(5_000);
    await visit.scrollTo(0);
    await visit.page.clock.runFor(999);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(1);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("does not count in a hidden tab, and starts the second anew when it shows again", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(900);
    await visit.setHidden(true);
    await visit.page.clock.runFor(5_000);
    await visit.setHidden(false);
    await visit.page.clock.runFor(999);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(1);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("does not count what the page made invisible", async () => {
    await visit.openFrozen(`<div id="veil" style="opacity:0">${SLOT}</div>`);
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.evaluate(() => document.getElementById("veil")?.removeAttribute("style"));
    await visit.page.clock.runFor(1_000);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("stops with the slot that is removed", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(900);
    await visit.page.evaluate(() => document.querySelector("[data-svc-offers]")?.remove());
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([]);
  });
});

describe("reporting impressions", () => {
  it("sends one batch as text/plain without key or cookies after a second without news", async () => {
    visit.answer([visit.offer(1), visit.offer(2)]);
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(1_999);
    expect(visit.stub.impressionBatches).toEqual([]);
    await visit.page.clock.runFor(1);
    await vi.waitFor(() => expect(visit.batches().map((ids) => ids.sort())).toEqual([[offerId(1), offerId(2)]]));
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
    await vi.waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
    expect(visit.stub.impressionBatches[0]?.headers["content-type"]).toBe("text/plain;charset=UTF-8");
  });

  it("sends when the reader follows a link away", async () => {
    visit.site.pages.set("/next", { html: "next" });
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(1_000);
    await visit.page.goto(`${visit.site.origin}/next`);
    await vi.waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
  });

  it("falls back to fetch when the browser refuses the beacon", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.evaluate(() => Object.assign(navigator, { sendBeacon: () => false }));
    await visit.page.clock.runFor(1_000);
    await visit.setHidden(true);
    await vi.waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
  });

  it("reports each id once, also when the slot is mounted again", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(2_000);
    await vi.waitFor(() => expect(visit.batches()).toHaveLength(1));
    await visit.page.evaluate(() => {
      const slot = document.querySelector("[data-svc-offers]");
      slot?.remove();
      if (slot) setTimeout(() => document.body.prepend(slot), 10);
    });
    await visit.page.clock.runFor(10);
    await vi.waitFor(async () =>
      expect((await visit.events()).filter(([name]) => name === "rendered")).toHaveLength(2),
    );
    await visit.observed();
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([offerId(1), offerId(1)]);
    await visit.setHidden(true);
    await visit.roundTrips();
    expect(visit.batches()).toEqual([[offerId(1)]]);
  });

  it("cuts batches at 256 ids", async () => {
    const offers = Array.from({ length: 300 }, (_, n) => visit.offer(n, { content: "", title: "t" }));
    visit.stub.answer = () => ({ body: { offers } });
    await visit.page.setViewportSize({ width: 5_000, height: 6_000 });
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(2_000);
    await vi.waitFor(() =>
      expect(
        visit
          .batches()
          .map((ids) => ids.length)
          .sort(),
      ).toEqual([256, 44]),
    );
    expect(new Set(visit.batches().flat()).size).toBe(300);
  });

  it("reports again, once, what met a dead network", async () => {
    await visit.openFrozen(SLOT);
    await visit.context.setOffline(true);
    await visit.page.clock.runFor(2_000);
    await vi.waitFor(() => expect(visit.consoleLines.join()).toContain("ERR_INTERNET_DISCONNECTED"));
    await visit.context.setOffline(false);
    await vi.waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
  });

  it.each([429, 500, 503])("reports again, once and after five seconds, what was refused with %i", async (status) => {
    visit.stub.impressionStatus = status;
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(2_000);
    await vi.waitFor(() => expect(visit.batches()).toHaveLength(1));
    await visit.roundTrips();
    await visit.page.clock.runFor(4_999);
    await visit.roundTrips();
    expect(visit.batches()).toHaveLength(1);
    await visit.page.clock.runFor(1);
    await vi.waitFor(() => expect(visit.batches()).toEqual([[offerId(1)], [offerId(1)]]));
    await visit.roundTrips();
    await visit.page.clock.runFor(20_000);
    await visit.roundTrips();
    expect(visit.batches()).toHaveLength(2);
  });

  it("does not report again what was refused for good", async () => {
    visit.stub.impressionStatus = 400;
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(2_000);
    await vi.waitFor(() => expect(visit.batches()).toHaveLength(1));
    await visit.roundTrips();
    await visit.page.clock.runFor(20_000);
    await visit.setHidden(true);
    await visit.roundTrips();
    expect(visit.batches()).toHaveLength(1);
  });
});
