import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../factories/wait-for";
import { offerId, openWidgetLab, SLOT, slotOf, type Visit } from "./widget-visit";

const STUB = "<script>window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments) }</script>";
const PLACE = '<div id="place"></div>';

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
  visit.stub.answer = ({ limit }) => ({
    body: { offers: Array.from({ length: Number(limit) }, (_, n) => visit.offer(n + 1)) },
  });
});
afterEach(() => visit.close());

/** Runs a call of the API in the page; `place` means the element with that id. */
const call = (script: string): Promise<unknown> =>
  visit.page.evaluate(`{ const place = document.getElementById("place"); ${script} }`);

const names = async (): Promise<string[]> => (await visit.events()).map(([name]) => name);

describe("the JavaScript API", () => {
  it("does what was called before the script arrived", async () => {
    const calls = `<script>
      window.heard = [];
      svc("on", "rendered", (detail, slot) => heard.push([detail, slot.id]));
      svc("render", document.getElementById("place"), { query: "boots", limit: 2, geo: "DE" });
    </script>`;
    await visit.open(`${STUB}${PLACE}${calls}`);
    await waitFor(async () =>
      expect(await visit.page.evaluate("heard")).toEqual([[{ ids: [offerId(1), offerId(2)] }, "place"]]),
    );
    expect(visit.asked(0)).toMatchObject({ query: "boots", limit: 2, geo: "DE", context: "Shoes" });
  });

  it("asks once however often the same is rendered, also over a slot of the markup", async () => {
    await visit.open(`${PLACE}${SLOT}`);
    await visit.eventNamed("rendered");
    await call(`for (let n = 0; n < 3; n++) svc("render", place, { query: "boots" });`);
    await call(`svc("render", document.querySelector("[data-svc-offers]"))`);
    await visit.askedTimes(2);
    await visit.page.locator("#place li a").first().waitFor();
    expect(await visit.page.locator("#place li a").count()).toBe(1);
  });

  it("fills an element that is put into the page after it was rendered", async () => {
    await visit.open(PLACE);
    await visit.page.waitForFunction("window.svc && svc.ready");
    await call(`const late = document.createElement("p"); svc("render", late, { query: "a" });
      setTimeout(() => place.append(late), 50)`);
    await visit.eventNamed("rendered");
  });

  it("updates a slot with the fields that changed", async () => {
    await visit.open(PLACE);
    await visit.page.waitForFunction("window.svc && svc.ready");
    await call(`svc("render", place, { query: "boots", placement: "side" })`);
    await visit.askedTimes(1);
    await call(`svc("update", place, { query: "socks" })`);
    await visit.askedTimes(2);
    expect(visit.asked(1)).toMatchObject({ query: "socks", placement: "side" });
    await call(`svc("update", place)`);
    await visit.askedTimes(3);
  });

  it("takes a field that is undefined for one that is left out, and an update with it for one that goes", async () => {
    await visit.open('<div id="place" data-placement="side"></div>', { search: "?q=red+shoes" });
    await visit.page.waitForFunction("window.svc && svc.ready");
    await call(`svc("render", place, { query: undefined, placement: undefined, geo: "DE" })`);
    await visit.askedTimes(1);
    expect(visit.asked(0)).toMatchObject({ query: "red shoes", placement: "side", geo: "DE" });
    await call(`svc("update", place, { query: "socks", geo: undefined })`);
    await visit.askedTimes(2);
    expect(visit.asked(1).query).toBe("socks");
    expect(visit.asked(1).geo).toBeUndefined();
    await call(`svc("update", place, { query: undefined })`);
    await visit.askedTimes(3);
    expect(visit.asked(2).query).toBe("red shoes");
  });

  it("empties a destroyed slot, counts nothing of it and leaves it alone until it is rendered again", async () => {
    await visit.openFrozen(SLOT);
    await visit.page.clock.runFor(900);
    await call(`window.slot = document.querySelector("[data-svc-offers]"); svc("destroy", slot)`);
    await visit.page.clock.runFor(5_000);
    expect(await visit.impressions()).toEqual([]);
    expect(await visit.page.locator("[data-svc-offers]").evaluate((host) => host.getBoundingClientRect().height)).toBe(
      0,
    );
    await call("document.body.append('more')");
    await visit.askedTimes(1);
    await call(`svc("render", slot)`);
    await visit.askedTimes(2);
  });

  it("drops an answer that comes after the slot was destroyed", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    visit.stub.answer = () => ({ body: { offers: [visit.offer(1)] }, after: held });
    await visit.open(SLOT);
    await waitFor(() => expect(visit.stub.offersRequests).toHaveLength(1));
    await call(`svc("destroy", document.querySelector("[data-svc-offers]"))`);
    release();
    await visit.roundTrips();
    expect(await names()).toEqual([]);
  });

  it("tells of a click with the offer's id", async () => {
    await visit.open(SLOT);
    await visit.eventNamed("rendered");
    await call(`document.addEventListener("click", (event) => event.preventDefault())`);
    await visit.page.locator("[data-svc-offers] a").click();
    expect(await visit.eventNamed("click")).toEqual({ id: offerId(1) });
  });

  it("throws at nobody: a wrong call becomes an error event, and what follows is done", async () => {
    const calls = `<script>svc("render", null); svc("dance"); svc("render", document.getElementById("place"))</script>`;
    await visit.open(`${STUB}${PLACE}${calls}`);
    await visit.eventNamed("rendered");
    expect(await names()).toContain("error");
    expect(visit.scriptLines).toEqual([]);
  });
});

describe("single-page navigation", () => {
  const move = (script: string): Promise<unknown> => visit.page.evaluate(`${script}; undefined`);

  it("asks again by the new address and title, where the query is the page's own", async () => {
    await visit.open(`<div data-svc-offers data-limit="2"></div>${SLOT}`, { search: "?q=red+shoes" });
    await visit.askedTimes(2);
    await move(`history.pushState(null, "", "?q=blue+socks"); setTimeout(() => { document.title = "Socks" }, 50)`);
    await visit.askedTimes(3);
    expect(visit.asked(2)).toMatchObject({ query: "blue socks", context: "Socks", limit: 2 });
    await visit.page.goBack();
    await visit.askedTimes(4);
    expect(visit.asked(3).query).toBe("red shoes");
    await move(`history.replaceState(null, "", "?q=hats")`);
    await visit.askedTimes(5);
    expect(visit.asked(4).query).toBe("hats");
  });

  it("stays with its offers where only the place on the page changed", async () => {
    await visit.open("<div data-svc-offers></div><h2 id=part>Part</h2>", { search: "?q=red+shoes" });
    await visit.askedTimes(1);
    await move(`location.hash = "part"; history.replaceState({ scroll: 7 }, "")`);
    await visit.page.waitForTimeout(400);
    await visit.askedTimes(1);
  });

  it("asks once for a slot that comes with the navigation, and stops the one that goes", async () => {
    await visit.open(`<main><div data-svc-offers></div></main>`, { search: "?q=red" });
    await visit.askedTimes(1);
    await move(`history.pushState(null, "", "?q=blue");
      document.querySelector("main").innerHTML = "<div data-svc-offers></div>"`);
    await visit.page.waitForTimeout(400);
    await visit.askedTimes(2);
    expect(visit.asked(1).query).toBe("blue");
  });
});

describe("asking late and together", () => {
  it("asks only when the slot is near", async () => {
    await visit.open(`<div style="height:4000px"></div>${SLOT}<div style="height:4000px"></div>`);
    await visit.page.waitForFunction("window.svc && svc.ready");
    await visit.observed();
    await visit.roundTrips();
    expect(visit.stub.offersRequests).toEqual([]);
    await visit.scrollTo(2_600);
    await visit.eventNamed("rendered");
    expect(visit.stub.offersRequests).toHaveLength(1);
  });

  it("asks once for what changed, and not for what was destroyed, while a consent platform is waited for", async () => {
    const silent = "<script>window.__tcfapi = () => {}</script>";
    await visit.freeze();
    await visit.open(`${SLOT}<div data-svc-offers data-query="gone"></div>`, { head: silent });
    await visit.page.waitForFunction("window.svc && svc.ready");
    await visit.observed();
    await call(`const [kept, gone] = document.querySelectorAll("[data-svc-offers]");
      kept.dataset.query = "boots"; svc("destroy", gone)`);
    await visit.observed();
    await visit.page.clock.runFor(500);
    await visit.eventNamed("rendered");
    await visit.askedTimes(1);
    expect(visit.asked(0).query).toBe("boots");
    expect(await names()).toEqual(["rendered"]);
  });

  it("shares one request between slots that ask for the same, and deals the answer out in order", async () => {
    await visit.open(slotOf(1) + slotOf(2));
    await visit.askedTimes(1);
    expect(visit.asked(0).limit).toBe(3);
    const dealt = async () => (await visit.events()).filter(([name]) => name === "rendered").map(([, { ids }]) => ids);
    await expect.poll(dealt).toEqual([[offerId(1)], [offerId(2), offerId(3)]]);
  });

  it("asks apart above eight offers, and for different placements", async () => {
    const other = '<div data-svc-offers data-query="trail shoes" data-placement="other"></div>';
    await visit.page.setViewportSize({ width: 1_000, height: 2_000 });
    await visit.open(slotOf(5) + slotOf(4) + slotOf(3) + other);
    await visit.askedTimes(3);
    expect([0, 1, 2].map((n) => [visit.asked(n).limit, visit.asked(n).placement])).toEqual(
      expect.arrayContaining([
        [8, undefined],
        [4, undefined],
        [1, "other"],
      ]),
    );
  });

  it("leaves the slot empty that a short answer does not reach", async () => {
    visit.stub.answer = () => ({ body: { offers: [visit.offer(1)] } });
    await visit.open(slotOf(1) + slotOf(2));
    await visit.eventNamed("empty");
    expect(await names()).toEqual(["rendered", "empty"]);
  });
});
