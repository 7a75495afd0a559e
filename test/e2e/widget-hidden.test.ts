import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../factories/wait-for";
import { offerId, openWidgetLab, SLOT, type Visit } from "./widget-visit";

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

const set = (selector: string, attribute: string, value: string | null): Promise<void> =>
  visit.page.evaluate(
    ([at, name, text]) => {
      const element = document.querySelector(at as string);
      if (text === null) element?.removeAttribute(name as string);
      else element?.setAttribute(name as string, text as string);
    },
    [selector, attribute, value] as const,
  );

/** Runs so many milliseconds of the page, after the observers have reported what has changed. */
async function pass(ms: number): Promise<void> {
  await visit.occlusionNoticed();
  await visit.page.clock.runFor(ms);
}

const STYLES = [
  "transform:scale(0)",
  "transform:scaleY(0)",
  "transform:scale(.01)",
  "transform:rotateY(90deg)",
  "transform:translateX(-3000px)",
  "opacity:0",
  "visibility:hidden",
  "display:none",
  "content-visibility:hidden",
  "clip-path:inset(50%)",
  "clip-path:circle(0)",
  "height:0;overflow:hidden",
];

describe.each(STYLES)("what a page hides by %s", (style) => {
  it("counts after it was shown for a second, and not before", async () => {
    await visit.freeze();
    await visit.open(`<div id="veil">${SLOT}</div>`);
    await visit.eventNamed("rendered");
    await set("#veil", "style", style);
    await pass(5_000);
    expect(await visit.impressions()).toEqual([]);
    await set("#veil", "style", null);
    await visit.occlusionNoticed();
    await visit.page.clock.runFor(900);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(200);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });

  it("starts the second again when it was hidden in between", async () => {
    await visit.openFrozen(`<div id="veil">${SLOT}</div>`);
    await visit.occlusionNoticed();
    await visit.page.clock.runFor(800);
    await set("#veil", "style", style);
    await pass(5_000);
    await set("#veil", "style", null);
    await pass(900);
    expect(await visit.impressions()).toEqual([]);
    await visit.page.clock.runFor(200);
    expect(await visit.impressions()).toEqual([offerId(1)]);
  });
});

const OPENED: [string, string, (open: boolean) => Promise<void>][] = [
  [
    "details",
    `<details><summary>Offers</summary>${SLOT}</details>`,
    (open) => set("details", "open", open ? "" : null),
  ],
  ["a dialog", `<dialog>${SLOT}</dialog>`, (open) => set("dialog", "open", open ? "" : null)],
  [
    "a modal dialog",
    `<dialog>${SLOT}</dialog>`,
    (open) => visit.page.evaluate((now) => document.querySelector("dialog")?.[now ? "showModal" : "close"](), open),
  ],
  [
    "a popover",
    `<div popover style="width:600px">${SLOT}</div>`,
    (open) =>
      visit.page.evaluate(
        (now) => document.querySelector<HTMLElement>("[popover]")?.[now ? "showPopover" : "hidePopover"](),
        open,
      ),
  ],
];

it.each(OPENED)("counts what %s shows while it is open", async (_, body, turn) => {
  await visit.freeze();
  await visit.open(body);
  await turn(true);
  await visit.eventNamed("rendered");
  await pass(500);
  await turn(false);
  await pass(5_000);
  expect(await visit.impressions()).toEqual([]);
  await turn(true);
  await pass(900);
  expect(await visit.impressions()).toEqual([]);
  await visit.page.clock.runFor(200);
  expect(await visit.impressions()).toEqual([offerId(1)]);
});

describe.each(["width:0;height:0", "transform:scale(0)", "display:none", "visibility:hidden", "opacity:0"])(
  "a frame that its page hides by %s",
  (style) => {
    it("counts after it was shown for a second, and not before", async () => {
      const html = `<!doctype html><html lang="en"><title>Frame</title><body style="margin:0">${SLOT}${visit.scriptTag()}`;
      visit.site.pages.set("/frame", { html });
      const frame = visit.site.origin.replace("127.0.0.1", "localhost");
      await visit.freeze();
      await visit.open(`<iframe style="border:0" width="600" height="400" src="${frame}/frame"></iframe>`, { tag: "" });
      await waitFor(() => expect(visit.stub.offersRequests).toHaveLength(1));
      await visit.roundTrips();
      await pass(500);
      await set("iframe", "style", `border:0;${style}`);
      await pass(5_000);
      await visit.roundTrips();
      expect(visit.batches()).toEqual([]);
      await set("iframe", "style", "border:0");
      await pass(900);
      await visit.page.clock.runFor(200);
      await visit.page.clock.runFor(1_000);
      await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
    });
  },
);

it("asks for offers and counts only when a prerendered page is shown (simulated: no page under test is prerendered)", async () => {
  await visit.page.addInitScript(() => {
    for (const name of ["prerendering", "hidden"])
      Object.defineProperty(document, name, { value: true, configurable: true });
  });
  await visit.freeze();
  await visit.open(SLOT);
  await visit.observed();
  await visit.page.clock.runFor(5_000);
  await visit.roundTrips();
  expect(visit.stub.offersRequests).toEqual([]);
  await visit.page.evaluate(() => {
    Object.defineProperty(document, "prerendering", { value: false });
    document.dispatchEvent(new Event("prerenderingchange"));
  });
  await visit.eventNamed("rendered");
  await visit.observed();
  await visit.page.clock.runFor(5_000);
  expect(await visit.impressions()).toEqual([]);
  await visit.setHidden(false);
  await visit.page.clock.runFor(1_000);
  expect(await visit.impressions()).toEqual([offerId(1)]);
  await visit.askedTimes(1);
});
