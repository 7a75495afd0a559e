import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWidgetLab, SLOT, type Visit } from "./widget-visit";

const TCF = "CQSbk4AQSbk4AAAAAAENCZCAAIAAAAAAAAAAAAAAAAAA.IAAA";
const GPP = "DBABLA~BVQVAAAAAAA.QA";
const STORED = "svc_id";

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

interface Platforms {
  tcf?: object;
  gpp?: object;
  gpc?: boolean;
}

/** A page head with consent platforms that answer at once with what is given. */
const head = ({ tcf, gpp, gpc }: Platforms): string => `<title>Shoes</title><script>
  const tcf = ${JSON.stringify(tcf ?? null)}, gpp = ${JSON.stringify(gpp ?? null)};
  if (tcf) window.__tcfapi = (command, version, listen) =>
    command === "addEventListener" && version === 2 && listen(tcf, true);
  if (gpp) window.__gpp = (command, listen) =>
    command === "addEventListener" && listen({ eventName: "listenerRegistered", data: true, pingData: gpp });
  if (${gpc === true}) Object.defineProperty(navigator, "globalPrivacyControl", { value: true });
</script>`;

const tcf = (fields: object = {}): object => ({
  tcString: TCF,
  gdprApplies: true,
  eventStatus: "tcloaded",
  purpose: { consents: { 1: true } },
  ...fields,
});

const gpp = (fields: object = {}): object => ({
  signalStatus: "ready",
  gppString: GPP,
  applicableSections: [7],
  parsedSections: { usnat: [{ SaleOptOut: 2, SaleOptOutNotice: 1, TargetedAdvertisingOptOut: 2 }, { Gpc: false }] },
  ...fields,
});

const open = async (platforms: Platforms, attributes = "data-personalize"): Promise<void> => {
  await visit.open(SLOT, { head: head(platforms), tag: visit.scriptTag(attributes) });
  await visit.eventNamed("rendered");
};

const stored = (): Promise<string | null> => visit.page.evaluate((name) => localStorage.getItem(name), STORED);

describe("consent strings", () => {
  it("forwards what both platforms say, in the server's words", async () => {
    await open({ tcf: tcf(), gpp: gpp() }, "");
    expect(visit.asked(0).consent).toEqual({ tcf: TCF, gpp: GPP, gpp_sid: [7] });
  });

  it("forwards no string where the law behind it does not apply", async () => {
    await open({ tcf: tcf({ gdprApplies: false }) }, "");
    expect(visit.asked(0).consent).toBeUndefined();
  });

  it("waits for a platform that takes its time, and no longer than half a second for one that never answers", async () => {
    const late = `<script>window.__tcfapi = (c, v, listen) => {
      listen({ tcString: "early", gdprApplies: true, eventStatus: "cmpuishown" }, true);
      setTimeout(listen, 200, ${JSON.stringify(tcf())}, true);
    }</script>`;
    await visit.open(SLOT, { head: late });
    await visit.eventNamed("rendered");
    expect(visit.asked(0).consent).toEqual({ tcf: TCF });
    await visit.open(SLOT, { head: "<script>window.__tcfapi = () => {}; window.__gpp = () => {}</script>" });
    await visit.eventNamed("rendered");
    expect(visit.asked(1).consent).toEqual({});
  });

  it("leaves out what a platform says null for, as the server refuses it", async () => {
    await open({ tcf: tcf({ tcString: null }), gpp: gpp({ gppString: null, applicableSections: null }) }, "");
    expect(visit.asked(0).consent).toEqual({});
  });

  it("asks for offers also when a platform throws or answers nonsense", async () => {
    await visit.open(SLOT, {
      head: "<script>window.__tcfapi = () => { throw 1 }; window.__gpp = (c, listen) => listen(null)</script>",
    });
    await visit.eventNamed("rendered");
    expect(visit.scriptLines).toEqual([]);
  });
});

describe("the reader's id", () => {
  it("is neither made nor sent unless the page asks for it", async () => {
    await open({ tcf: tcf() }, "");
    expect(visit.asked(0).user_id).toBeUndefined();
    expect(await stored()).toBeNull();
  });

  it("is random, stays for this site with data-personalize, and goes with svc('forget')", async () => {
    await open({});
    const id = visit.asked(0).user_id;
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    await open({ tcf: tcf(), gpp: gpp() });
    expect(visit.asked(1).user_id).toBe(id);
    await visit.page.evaluate(() => {
      window.svc?.("forget");
      window.svc?.("update");
    });
    await visit.askedTimes(3);
    expect(visit.asked(2).user_id).toBeUndefined();
    expect(await stored()).toBeNull();
    await open({});
    expect(visit.asked(3).user_id).not.toBe(id);
  });

  it("is another one after 90 days", async () => {
    await visit.page.clock.install({ time: new Date("2026-01-01T00:00:00Z") });
    await open({});
    await visit.page.clock.setSystemTime(new Date("2026-03-31T00:00:00Z"));
    await visit.page.evaluate(() => window.svc?.("update"));
    await visit.askedTimes(2);
    expect(visit.asked(1).user_id).toBe(visit.asked(0).user_id);
    await visit.page.clock.setSystemTime(new Date("2026-04-02T00:00:00Z"));
    await visit.page.evaluate(() => window.svc?.("update"));
    await visit.askedTimes(3);
    expect(visit.asked(2).user_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(visit.asked(2).user_id).not.toBe(visit.asked(0).user_id);
  });

  const allowances: [string, Platforms][] = [
    ["TCF that allows storage", { tcf: tcf() }],
    ["TCF where it does not apply", { tcf: tcf({ gdprApplies: false, purpose: { consents: {} } }) }],
    ["GPP without an opt-out", { gpp: gpp() }],
  ];

  it.each(allowances)("is made and sent under %s", async (_name, platforms) => {
    await open(platforms);
    expect(visit.asked(0).user_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await stored()).toContain(String(visit.asked(0).user_id));
  });

  const refusals: [string, Platforms][] = [
    ["Global Privacy Control", { gpc: true }],
    ["TCF without storage", { tcf: tcf({ purpose: { consents: { 2: true } } }) }],
    ["TCF without disclosed vendors", { tcf: tcf({ tcString: TCF.replace(".IAAA", ".YAAA") }) }],
    ["TCF without a string", { tcf: tcf({ tcString: undefined }) }],
    ["TCF that still asks", { tcf: tcf({ eventStatus: "cmpuishown" }) }],
    ["a GPP opt-out", { gpp: gpp({ parsedSections: { usca: [{ SaleOptOut: 1 }] } }) }],
    ["a US Privacy opt-out", { gpp: gpp({ parsedSections: { uspv1: { OptOutSale: "Y" } } }) }],
    [
      "GPP's own Global Privacy Control",
      { gpp: gpp({ parsedSections: { usnat: [{ SaleOptOut: 2 }, { Gpc: true }] } }) },
    ],
    ["GPP that is not ready", { gpp: gpp({ signalStatus: "not ready" }) }],
  ];

  it.each(refusals)("is dropped and not sent under %s", async (_name, platforms) => {
    await open({});
    expect(await stored()).not.toBeNull();
    await open(platforms);
    expect(visit.asked(1).user_id).toBeUndefined();
    expect(await stored()).toBeNull();
  });

  it("that the page passes goes along with the consent strings, and not under Global Privacy Control", async () => {
    await open({ tcf: tcf({ purpose: { consents: {} } }) }, 'data-user-id="4f1c"');
    expect(visit.asked(0)).toMatchObject({ user_id: "4f1c", consent: { tcf: TCF } });
    await open({ gpc: true }, 'data-user-id="4f1c"');
    expect(visit.asked(1).user_id).toBeUndefined();
  });

  it("is not missed where the browser refuses storage", async () => {
    const closed = `<script>Object.defineProperty(window, "localStorage", { get() { throw new Error("closed") } })</script>`;
    await visit.open(SLOT, { head: closed, tag: visit.scriptTag("data-personalize data-debug") });
    await visit.eventNamed("rendered");
    expect(visit.asked(0).user_id).toBeUndefined();
    expect(visit.scriptLines).toEqual([]);
  });
});
