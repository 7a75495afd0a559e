import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findBrowser } from "../factories/browser";
import { waitFor } from "../factories/wait-for";
import { offerId, openWidgetLab, SLOT, type Visit } from "./widget-visit";

/** The browser from npm is a headless shell, which keeps no page for going back; an installed Chromium does. */
const keepsPages = (await findBrowser({ keepsPages: true })).from !== "@sparticuz/chromium";
const COVER = "position:fixed;inset:0;background:#fff";

/** One card of an exact size, some pixels below the viewport. */
const belowTheFold = ({ width, height }: { width: number; height: number }): string =>
  `<style>[data-svc-offers]::part(offer){width:${width}px;height:${height}px;min-height:0}</style>
  <div style="height:900px"></div>${SLOT}<div style="height:3000px"></div>`;

let visit: Visit;

const lab = await openWidgetLab();
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

  it.each([
    { size: "of 900 × 200 px", width: 900, height: 200, less: 0.49, enough: 0.5 },
    { size: "just below 242,500 px", width: 970, height: 249, less: 0.49, enough: 0.51 },
    { size: "of 242,500 px", width: 970, height: 250, less: 0.28, enough: 0.3 },
    { size: "above 242,500 px", width: 970, height: 600, less: 0.29, enough: 0.3 },
  ])("never counts a card $size of which $less are in view, and counts it at $enough", async (card) => {
    await visit.openFrozen(belowTheFold(card));
    await visit.showShare(card.less);
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([]);
    await visit.showShare(card.enough);
    await visit.page.clock.runFor(999);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(1);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("starts the second again when the card leaves the viewport", async () => {
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

  it("never counts what is half in view for 0.9 seconds, however often", async () => {
    await visit.openFrozen(belowTheFold({ width: 900, height: 200 }));
    for (let turn = 0; turn < 4; turn++) {
      await visit.showShare(0.5);
      await visit.page.clock.runFor(900);
      await visit.scrollTo(0);
      await visit.page.clock.runFor(100);
    }
    expect(await visit.impressions()).toEqual([]);
  });

  it("pauses while something covers the card, and starts the second again", async () => {
    await visit.openFrozen(SLOT);
    await visit.occlusionNoticed();
    await visit.page.clock.runFor(900);
    await visit.page.evaluate((style) => {
      document.body.insertAdjacentHTML("beforeend", `<div id="cover" style="${style}"></div>`);
    }, COVER);
    await visit.occlusionNoticed();
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.evaluate(() => document.getElementById("cover")?.remove());
    await visit.occlusionNoticed();
    await visit.page.clock.runFor(999);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(1);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("counts by geometry alone what the browser never called visible", async () => {
    await visit.openFrozen(`<div style="${COVER};opacity:.01;pointer-events:none"></div>${SLOT}`);
    await visit.occlusionNoticed();
    await visit.page.clock.runFor(1_000);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it.skipIf(!keepsPages)(
    "starts the second again when the page comes back from the back-forward cache, and counts once",
    async () => {
      visit.site.pages.set("/next", { html: "<!doctype html><title>next</title>" });
      await visit.page.addInitScript(() => addEventListener("pageshow", (event) => Object.assign(window, { event })));
      await visit.openFrozen(SLOT);
      await visit.page.clock.runFor(900);
      await visit.page.goto(`${visit.site.origin}/next`);
      await visit.page.goBack({ waitUntil: "commit" });
      expect(
        await visit.page.evaluate(() => (window as unknown as { event: PageTransitionEvent }).event.persisted),
      ).toBe(true);
      await visit.observed();
      expect(await visit.impressions()).toEqual([]);
      await visit.page.clock.runFor(1_000);
      expect(await visit.impressions()).toEqual([offerId(1)]);
      await visit.page.clock.runFor(1_000);
      await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
      await visit.page.goto(`${visit.site.origin}/next`);
      await visit.page.goBack({ waitUntil: "commit" });
      await visit.observed();
      await visit.page.clock.runFor(3_000);
      await visit.roundTrips();
      expect(visit.batches()).toEqual([[offerId(1)]]);
    },
  );

  it.skipIf(!keepsPages)(
    "lives on after the back-forward cache: it asks when told to, and counts the new offer alone",
    async () => {
      visit.site.pages.set("/next", { html: "<!doctype html><title>next</title>" });
      await visit.openFrozen(SLOT);
      await visit.page.clock.runFor(2_000);
      await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
      await visit.page.evaluate("window.kept = 1");
      await visit.page.goto(`${visit.site.origin}/next`);
      await visit.page.goBack({ waitUntil: "commit" });
      expect(await visit.page.evaluate("window.kept")).toBe(1);
      visit.answer([visit.offer(2)]);
      await visit.page.evaluate(() => window.svc?.("update"));
      await waitFor(async () => expect(await visit.page.locator(".title").allTextContents()).toEqual(["Trail shoe 2"]));
      await visit.observed();
      await visit.page.clock.runFor(2_000);
      await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)], [offerId(2)]]));
      await visit.askedTimes(2);
    },
  );

  it("counts each of two slots when it is seen itself", async () => {
    visit.answer([visit.offer(1), visit.offer(2)]);
    await visit.openFrozen(`${SLOT}<div style="height:900px"></div>${SLOT}<div style="height:2000px"></div>`);
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([offerId(1)]);
    await visit.scrollTo(900);
    await visit.page.clock.runFor(1_000);
    expect(await visit.impressions()).toEqual([offerId(1), offerId(2)]);
  });

  it("does not count in a hidden tab (simulated: headless pages stay visible), and starts the second again when it shows again", async () => {
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
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(100);
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
