import path from "node:path";
import { build } from "esbuild";
import { createElement, StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Offers, type OffersProps } from "../../sdk/react/offers";
import { waitFor } from "../factories/wait-for";
import { KEY, offerId, openWidgetLab, type Visit } from "./widget-visit";

/** A page of React in development, where it warns; `show` renders slots, `hydrate` takes over those of the server. */
const PAGE = `
import { createElement, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Offers } from "./sdk/react/offers";

const heard = [];
const receive = (name) => (detail) => heard.push([name, detail]);
const handlers = { onRendered: receive("rendered"), onEmpty: receive("empty"), onImpression: receive("impression"),
  onClick: receive("click"), onError: receive("error") };
const tree = (slots) => createElement(StrictMode, null,
  slots.map(({ listens, ...props }, n) => createElement(Offers, { key: n, ...props, ...(listens && handlers) })));
const place = document.getElementById("app");
let root;
window.app = {
  heard,
  show(slots) { root ||= createRoot(place); root.render(tree(slots)); },
  hydrate(slots) {
    root = hydrateRoot(place, tree(slots), { onRecoverableError: (error) => console.error(String(error)) });
  },
};
`;

type Slot = OffersProps & { listens?: boolean };

let visit: Visit;

const rootDir = path.resolve(import.meta.dirname, "../..");
const [opened, { outputFiles }] = await Promise.all([
  openWidgetLab(),
  build({
    stdin: { contents: PAGE, resolveDir: rootDir, loader: "js" },
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    tsconfigRaw: {},
    define: { "process.env.NODE_ENV": '"development"' },
  }),
]);
const lab = opened;
const script = outputFiles[0]?.text ?? "";
beforeEach(async () => {
  visit = await lab.visit();
  visit.stub.answer = ({ limit }) => ({
    body: { offers: Array.from({ length: Number(limit) }, (_, n) => visit.offer(n + 1)) },
  });
});
afterEach(() => visit.close());

/** The page with the slots as the server renders them, if any, and with a script tag of its own where `tag` is one. */
const open = (slots: Slot[] = [], tag = ""): Promise<void> =>
  visit.open(`<div id="app">${rendered(slots)}</div><script>${script}</script>`, { tag });

const rendered = (slots: Slot[]): string => {
  const elements = slots.map(({ listens, ...props }, n) =>
    createElement(Offers, { key: n, ...props, ...(listens ? { onRendered: () => undefined } : {}) }),
  );
  return slots.length === 0 ? "" : renderToString(createElement(StrictMode, null, elements));
};

const inApp = (call: "show" | "hydrate", slots: Slot[]): Promise<unknown> =>
  visit.page.evaluate(`app.${call}(${JSON.stringify(slots)}); undefined`);
const heard = (): Promise<[string, Record<string, unknown>][]> => visit.page.evaluate("app.heard");
/** A slot that brings the script. */
const withScript = (): Slot => ({ query: "shoes", src: `${visit.stub.origin}/widget.js`, channelKey: KEY });
const titles = (): Promise<string[]> => visit.page.locator("[data-query] .title").allTextContents();
/** What React and the widget had to say. */
const complaints = (): string[] => visit.scriptLines.filter((line) => !line.includes("React DevTools"));

describe("in the browser", () => {
  afterEach(() => expect(complaints()).toEqual([]));

  it("asks once in StrictMode, with the script that it brings", async () => {
    await open();
    await inApp("show", [withScript()]);
    await visit.askedTimes(1);
    expect(visit.asked(0)).toMatchObject({ query: "shoes", limit: 1 });
    await expect.poll(titles).toEqual(["Trail shoe 1"]);
  });

  it("shares script and request between components that ask for the same", async () => {
    await open();
    await inApp("show", [withScript(), { ...withScript(), limit: 2, layout: "list" }]);
    await visit.askedTimes(1);
    expect(visit.asked(0)).toMatchObject({ limit: 3 });
    await expect.poll(titles).toEqual(["Trail shoe 1", "Trail shoe 2", "Trail shoe 3"]);
    expect(await visit.page.locator("script[src]").count()).toBe(1);
  });

  it("relies on the tag that the page has, whenever that arrives", async () => {
    await open();
    await inApp("show", [{ query: "shoes", userId: "u-1" }]);
    await visit.page.evaluate(
      ([src, key]) => {
        const late = Object.assign(document.createElement("script"), { src, async: true });
        late.dataset.key = key;
        document.head.append(late);
      },
      [`${visit.stub.origin}/widget.js`, KEY],
    );
    await visit.askedTimes(1);
    expect(visit.asked(0)).toMatchObject({ query: "shoes", user_id: "u-1" });
  });

  it("asks again for changed props, and not for equal or merely visible ones", async () => {
    await open();
    const slot: Slot = { ...withScript(), userId: "u-1", signals: [{ subject: "boots" }] };
    await inApp("show", [slot]);
    await visit.askedTimes(1);
    await inApp("show", [
      { ...slot, signals: [{ subject: "boots" }], layout: "banner", theme: "dark", className: "x" },
    ]);
    await visit.askedTimes(1);
    await inApp("show", [{ ...slot, query: "socks", userId: "u-2" }]);
    await visit.askedTimes(2);
    expect(visit.asked(1)).toMatchObject({ query: "socks", user_id: "u-2", signals: [{ subject: "boots" }] });
    await inApp("show", [{ ...withScript(), limit: 2 }]);
    await visit.askedTimes(3);
    expect(visit.asked(2)).toMatchObject({ query: "shoes", limit: 2 });
    expect(Object.keys(visit.asked(2))).not.toContain("user_id");
    await expect.poll(titles).toHaveLength(2);
  });

  it("infers what it is not told", async () => {
    await open();
    const { query: _, ...slot } = withScript();
    await inApp("show", [slot]);
    await visit.askedTimes(1);
    expect(visit.asked(0)).toMatchObject({ query: "", context: "Shoes" });
  });

  it("stops with the component: a late answer is shown to nobody", async () => {
    await open();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    visit.stub.answer = () => ({ body: { offers: [visit.offer(1)] }, after: held });
    await inApp("show", [{ ...withScript(), listens: true }]);
    await waitFor(() => expect(visit.stub.offersRequests).toHaveLength(1));
    await inApp("show", []);
    release();
    await visit.roundTrips();
    expect([await heard(), await visit.events()]).toEqual([[], []]);
    await inApp("show", [{ ...withScript(), listens: true }]);
    await visit.askedTimes(2);
    // After a second in view, its impression follows.
    const rendered = async () => (await heard()).filter(([name]) => name !== "impression");
    await expect.poll(rendered).toEqual([["rendered", { ids: [offerId(1)] }]]);
  });

  it("calls the handlers with what happened, once each", async () => {
    await open();
    await inApp("show", [{ ...withScript(), listens: true }]);
    await waitFor(async () => expect(await heard()).toHaveLength(2));
    await visit.page.evaluate(`document.addEventListener("click", (event) => event.preventDefault())`);
    await visit.page.locator("[data-query] a").click();
    visit.answerWith(503, { error: { message: "Retry shortly." } });
    await inApp("show", [{ ...withScript(), query: "socks", listens: true }]);
    await visit.askedTimes(2);
    visit.stub.answer = () => ({ body: { offers: [], reason: "frequency_cap" } });
    await inApp("show", [{ ...withScript(), query: "hats", listens: true }]);
    await visit.askedTimes(3);
    const id = offerId(1);
    await expect.poll(heard).toEqual([
      ["rendered", { ids: [id] }],
      ["impression", { id }],
      ["click", { id }],
      ["error", { message: "503 Retry shortly." }],
      ["empty", { reason: "frequency_cap" }],
    ]);
  });
});

describe("rendered by a server", () => {
  afterEach(() => expect(complaints()).toEqual([]));

  it("is filled before React comes, and hydrates without a warning or a second request", async () => {
    const slots: Slot[] = [
      { ...withScript(), placement: "side", limit: 2 },
      { query: "socks", theme: "dark" },
    ];
    await open(slots);
    await visit.askedTimes(2);
    await expect.poll(titles).toHaveLength(3);
    await inApp("hydrate", slots);
    await visit.askedTimes(2);
    await expect.poll(titles).toHaveLength(3);
    expect(await visit.page.locator("script[src]").count()).toBe(1);
    await inApp("show", [{ ...withScript(), query: "hats" }]);
    await visit.askedTimes(3);
    expect(visit.asked(2)).toMatchObject({ query: "hats" });
  });

  it("waits for React where handlers or fields without an attribute are to come, and asks once", async () => {
    const slots: Slot[] = [{ ...withScript(), listens: true, userId: "u-1" }];
    await open(slots);
    await visit.page.waitForFunction("window.svc && svc.ready");
    await visit.observed();
    await visit.roundTrips();
    expect(visit.stub.offersRequests).toEqual([]);
    await inApp("hydrate", slots);
    await visit.askedTimes(1);
    expect(visit.asked(0)).toMatchObject({ query: "shoes", user_id: "u-1" });
    await expect.poll(async () => (await heard())[0]).toEqual(["rendered", { ids: [offerId(1)] }]);
  });
});
