import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampled } from "../factories/sampled";
import { waitFor } from "../factories/wait-for";
import { offerId, openWidgetLab, type Visit } from "./widget-visit";

const LAYOUTS = ["card", "list", "inline", "banner"];
const THEMES = ["auto", "light", "dark"];
const WIDTHS_PX = [360, 1280];
/** The documented height of an offer on a narrow page of 16 px type. */
const ROW_PX: Record<string, number> = { card: 236, list: 117, inline: 88, banner: 147.5 };
/** What three offers take at most at each width. */
const ROOM_PX: Record<string, number[]> = {
  card: [3 * 236 + 24, 236],
  list: [3 * 117, 3 * 117],
  inline: [3 * 88 + 24, 3 * 55 + 24],
  banner: [3 * 147.5 + 24, 3 * 147.5 + 24],
};
/** Without the growth it is about 0.1. What remains is the page's margins, which an empty slot lets collapse. */
const SHIFT_MAX = 0.02;
const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHOTO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="56" height="84"><rect width="56" height="84" fill="#2a6"/></svg>',
);
/** A folder that takes a picture of every layout and theme, for looking at. */
const SHOTS = process.env.SVC_WIDGET_SHOTS;
const ACCENTS = { brand: { name: "Fellpath Mountain Works", iconUrl: "https://icons.example/a.svg" } };

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
  await visit.page.route("https://icons.example/a.svg", (route) =>
    route.fulfill({ body: PHOTO, contentType: "image/svg+xml" }),
  );
  visit.answer([
    visit.offer(1, {
      ...ACCENTS,
      title: "Ridgeline 3 trail running shoe with a rock plate and a wide toe box",
      content: "Grips on wet rock and dries overnight. Resoled free of charge in the first two years after purchase.",
      price: { amount: 89, currency: "EUR", originalPrice: 120, discount: 26 },
      rating: { value: 4.63, scale: 5, count: 1203 },
    }),
    visit.offer(2, { content: "Merino socks.", price: { amount: 14.5, currency: "EUR" } }),
    visit.offer(3),
  ]);
});
afterEach(() => visit.close());

const page = (slot: string): string =>
  `<style>body{font:16px/1.5 sans-serif;margin:16px}</style><main><h1>Shoes</h1><p>Before the offers.</p>${slot}<p>After.</p></main>`;

const slot = (layout: string, theme: string): string =>
  `<div data-svc-offers data-query="shoes" data-limit="3" data-layout="${layout}" data-theme="${theme}"></div>`;

/** Every rule of axe that the page breaks, with the element. */
async function breaches(): Promise<string[]> {
  await visit.page.evaluate(AXE);
  return visit.page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

/** The page's own measure of what moved. */
async function watchShifts(): Promise<void> {
  await visit.page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const height = (): Promise<number> =>
  visit.page.locator("[data-svc-offers]").evaluate((host) => host.getBoundingClientRect().height);

/** The id of what has the focus, or what a card's link is called without its last words. */
const focused = (): string => {
  const { activeElement: outer } = document;
  const { activeElement: inner } = outer?.shadowRoot ?? {};
  return inner?.getAttribute("aria-label")?.replace(/ \(.*/, "") ?? outer?.id ?? "";
};

interface Gate {
  opened: Promise<void>;
  open(): void;
}

/** What waits for `opened` goes on after `open`. */
function gate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe.each(sampled(LAYOUTS, 2))("layout %s", (layout) => {
  it.each(THEMES)("breaks no rule of axe with theme %s, in light and in dark, narrow and wide", async (theme) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await visit.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const width of WIDTHS_PX) {
        await visit.page.setViewportSize({ width, height: 900 });
        await visit.open(page(slot(layout, theme)));
        await visit.eventNamed("rendered");
        // Colours do not depend on the width.
        if (theme === "auto" || width === WIDTHS_PX.at(-1)) expect(await breaches()).toEqual([]);
        expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        if (SHOTS)
          await visit.page.screenshot({ path: path.join(SHOTS, `${layout}-${theme}-${colorScheme}-${width}.png`) });
      }
    }
  });

  it("takes at most the height that the documentation names", async () => {
    for (const [n, width] of WIDTHS_PX.entries()) {
      await visit.page.setViewportSize({ width, height: 900 });
      await visit.open(page(slot(layout, "light")));
      await visit.eventNamed("rendered");
      expect(await height()).toBeLessThanOrEqual(ROOM_PX[layout]?.[n] ?? 0);
    }
  });

  it("grows too slowly to count as a layout shift where the page holds no room for it", async () => {
    const answered = gate();
    const { answer } = visit.stub;
    visit.stub.answer = (request) => ({ ...answer(request), after: answered.opened });
    await watchShifts();
    await visit.page.emulateMedia({ reducedMotion: "no-preference" });
    for (const width of WIDTHS_PX) {
      await visit.page.setViewportSize({ width, height: 900 });
      await visit.open(page(slot(layout, "light")));
      await visit.page.waitForFunction("window.svc && svc.ready");
      await visit.observed();
      answered.open();
      await visit.eventNamed("rendered");
      await visit.page.waitForFunction(
        () => !document.querySelector("[data-svc-offers]")?.shadowRoot?.querySelector("ul")?.style.maxHeight,
      );
      await visit.observed();
      expect(await height()).toBeGreaterThan(100);
      const shifts = (await visit.page.evaluate("shifts")) as number[];
      expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThanOrEqual(SHIFT_MAX);
    }
  });

  it("moves nothing from the first paint on where the page's own sheet holds the room for the script, too", async () => {
    await watchShifts();
    for (const [n, width] of WIDTHS_PX.entries()) {
      const arrived = gate();
      await visit.page.route("**/widget.js", async (route) => {
        await arrived.opened;
        await route.continue();
      });
      await visit.page.setViewportSize({ width, height: 900 });
      const held = `<style>[data-svc-offers]{min-height:${ROOM_PX[layout]?.[n]}px}</style>`;
      // An async script does not keep the page from being painted, and one that is put in does not keep it from loading.
      await visit.open(held + page(slot(layout, "light")), { tag: "" });
      await visit.page.evaluate((tag) => {
        const parsed = new DOMParser().parseFromString(tag, "text/html").querySelector("script");
        const script = document.createElement("script");
        for (const { name, value } of parsed?.attributes ?? []) script.setAttribute(name, value);
        document.body.append(script);
      }, visit.scriptTag());
      await visit.observed();
      arrived.open();
      await visit.eventNamed("rendered");
      await visit.observed();
      expect(await visit.page.evaluate("shifts")).toEqual([]);
      await visit.page.unroute("**/widget.js");
    }
  });

  it("is reached by keyboard in reading order, between what stands before and after, and opened with Enter", async () => {
    const links = '<a id="before" href="#b">Before</a>';
    await visit.open(`${links}${page(slot(layout, "light"))}<a id="after" href="#a">After</a>`);
    await visit.eventNamed("rendered");
    const reached: string[] = [];
    for (let step = 0; step < 5; step++) {
      await visit.page.keyboard.press("Tab");
      reached.push(await visit.page.evaluate(focused));
    }
    expect(reached).toEqual([
      "before",
      "Shop now: Ridgeline 3 trail running shoe with a rock plate and a wide toe box",
      "Shop now: Trail shoe 2",
      "Shop now: Trail shoe 3",
      "after",
    ]);
    await visit.page.keyboard.press("Shift+Tab");
    const opened = visit.context.waitForEvent("page");
    await visit.page.keyboard.press("Enter");
    expect(await visit.eventNamed("click")).toEqual({ id: offerId(3) });
    await opened;
  });

  it("has nothing that moves, whatever the reader prefers", async () => {
    for (const reducedMotion of ["no-preference", "reduce"] as const) {
      await visit.page.emulateMedia({ reducedMotion });
      await visit.open(page(slot(layout, "light")));
      await visit.eventNamed("rendered");
      expect(await visit.page.evaluate(() => document.getAnimations().length)).toBe(0);
      const moving = await visit.page.locator("[data-svc-offers] *").evaluateAll((parts) =>
        parts.flatMap((part) => {
          const { animationName, transitionDuration } = getComputedStyle(part);
          return animationName === "none" && transitionDuration === "0s" ? [] : [part.className];
        }),
      );
      expect(moving).toEqual([]);
    }
  });

  it("mirrors itself on a right-to-left page, and keeps each text in its own direction", async () => {
    visit.answer([visit.offer(1, { ...ACCENTS, title: "\u202Egnitteg elbisrever" }), visit.offer(2), visit.offer(3)]);
    await visit.open(page(slot(layout, "light")), { root: 'lang="ar" dir="rtl"', head: "<title>x</title>" });
    await visit.eventNamed("rendered");
    const sides = await visit.page
      .locator("[data-svc-offers] li")
      .first()
      .evaluate((card) => {
        const middle = (name: string): number => {
          const box = card.querySelector(name)?.getBoundingClientRect() as DOMRect;
          return box.left + box.width / 2;
        };
        return [
          middle(".brand") > middle(".label"),
          getComputedStyle(card.querySelector(".title") as Element).unicodeBidi,
          getComputedStyle(card.querySelector(".title") as Element).textAlign,
        ];
      });
    expect(sides).toEqual([true, "isolate", "right"]);
    if (SHOTS) await visit.page.screenshot({ path: path.join(SHOTS, `${layout}-rtl.png`) });
  });

  it("keeps 10,000 characters, markup and odd values within its room", async () => {
    const evil = `<img src=x onerror="window.pwned=1">\u202E${"a".repeat(10_000)}`;
    const icon = { name: evil, iconUrl: 'https://icons.example/a.svg" onerror="window.pwned=1' };
    visit.answer([
      visit.offer(1, { title: evil, content: evil, cta: evil, brand: icon, price: { amount: "9", currency: evil } }),
      visit.offer(2, { title: 7, content: null, brand: null, rating: { value: "x", scale: [], count: "y" } }),
      visit.offer(3),
    ]);
    await visit.page.setViewportSize({ width: 360, height: 900 });
    await visit.open(page(slot(layout, "light")));
    await visit.eventNamed("rendered");
    expect(await visit.page.evaluate("window.pwned")).toBeUndefined();
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const heights = await visit.page
      .locator("[data-svc-offers] li")
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));
    for (const height of heights) expect(height).toBeLessThanOrEqual(ROW_PX[layout] ?? 0);
    if (SHOTS) await visit.page.screenshot({ path: path.join(SHOTS, `${layout}-hostile.png`) });
  });
});

describe("an empty slot", () => {
  beforeEach(() => visit.answer([]));

  it("takes no height, and has nothing to read or to reach", async () => {
    await visit.open(page(slot("card", "light")));
    await visit.eventNamed("empty");
    await visit.observed();
    expect(await height()).toBe(0);
    expect(await visit.page.locator("[data-svc-offers]").ariaSnapshot()).toBe("");
    expect(await breaches()).toEqual([]);
  });

  it("keeps the height of the offers before it in view, and gives it up below the fold", async () => {
    visit.answer([visit.offer(1)]);
    await visit.open(
      page(`<div style="height:1000px"></div>${slot("card", "light")}<div style="height:2000px"></div>`),
    );
    await visit.scrollTo(500);
    await visit.eventNamed("rendered");
    const before = await height();
    expect(before).toBeGreaterThan(100);
    visit.answer([]);
    await visit.page.evaluate(() => window.svc?.("update"));
    await visit.eventNamed("empty");
    expect(await height()).toBe(before);
    expect(await visit.page.locator("[data-svc-offers]").ariaSnapshot()).toBe("");
    await visit.scrollTo(0);
    await visit.page.evaluate(() => window.svc?.("update"));
    await waitFor(async () => expect(await height()).toBe(0));
  });
});

it("takes the page's colours by custom properties and parts", async () => {
  const style = `<style>[data-svc-offers]{--svc-accent:rgb(0, 80, 60);--svc-radius:0}
    [data-svc-offers]::part(title){text-transform:uppercase}</style>`;
  await visit.open(page(style + slot("card", "light")));
  await visit.eventNamed("rendered");
  const seen = await visit.page
    .locator("[data-svc-offers] li")
    .first()
    .evaluate((card) => {
      const of = (name: string): CSSStyleDeclaration => getComputedStyle(card.querySelector(name) as Element);
      return [of(".cta").backgroundColor, of(".title").textTransform, getComputedStyle(card).borderRadius];
    });
  expect(seen).toEqual(["rgb(0, 80, 60)", "uppercase", "0px"]);
});
