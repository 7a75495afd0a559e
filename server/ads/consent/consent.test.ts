import { GppModel } from "@iabgpp/cmpapi";
import { GVL, PurposeRestriction, RestrictionType, TCModel, TCString } from "@iabtechlabtcf/core";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/clock";
import { ConsentReader } from "./consent-reader";

const NOW = new Date("2026-11-20T12:00:00Z");
const VENDOR = 42;
const VISITOR = { gpc: false };
const ALL = { caps: true, signals: true };
const NONE = { caps: false, signals: false };
const CAPS_ONLY = { caps: true, signals: false };

const rightsOf = (consent: Parameters<ConsentReader["rightsOf"]>[1], vendorId?: number, visitor = VISITOR) =>
  new ConsentReader({ clock: new ManualClock(NOW), vendorId }).rightsOf(visitor, consent);

interface Answer {
  consents?: number[];
  interests?: number[];
  vendor?: boolean;
  updated?: Date;
  restriction?: RestrictionType;
  disclosed?: number[];
}

function tcf({
  consents = [],
  interests = [],
  vendor = true,
  updated = NOW,
  disclosed = [VENDOR],
  ...rest
}: Answer): string {
  const vendorOf = { id: VENDOR, name: "svc", purposes: [1, 2, 3, 4], legIntPurposes: [], flexiblePurposes: [2] };
  const list = {
    gvlSpecificationVersion: 3,
    vendorListVersion: 1,
    tcfPolicyVersion: 5,
    lastUpdated: NOW.toISOString(),
  };
  const purposes = Object.fromEntries(
    [1, 2, 3, 4].map((id) => [id, { id, name: "", description: "", illustrations: [] }]),
  );
  const lists = { purposes, specialPurposes: {}, features: {}, specialFeatures: {}, stacks: {}, dataCategories: {} };
  const gvl = new GVL({
    ...list,
    ...lists,
    vendors: { [VENDOR]: { ...vendorOf, specialPurposes: [], features: [], specialFeatures: [], policyUrl: "" } },
  } as never);
  const model = new TCModel(gvl);
  model.cmpId = 10;
  model.cmpVersion = 1;
  model.isServiceSpecific = true;
  model.purposeConsents.set(consents);
  model.purposeLegitimateInterests.set(interests);
  if (vendor) model.vendorConsents.set(VENDOR);
  if (vendor) model.vendorLegitimateInterests.set(VENDOR);
  if (disclosed.length > 0) model.vendorsDisclosed.set(disclosed);
  const { restriction } = rest;
  if (restriction !== undefined) model.publisherRestrictions.add(VENDOR, new PurposeRestriction(2, restriction));
  model.created = updated;
  model.lastUpdated = updated;
  return TCString.encode(model);
}

function gpp(fields: [section: string, field: string, value: unknown][]): string {
  const model = new GppModel();
  for (const [section, field, value] of fields) model.setFieldValue(section, field, value);
  return model.encode();
}

test("everything is allowed without a consent signal, and nothing with Global Privacy Control", () => {
  expect(rightsOf(undefined)).toEqual(ALL);
  expect(rightsOf({})).toEqual(ALL);
  expect(rightsOf({ tcf: tcf({ consents: [1, 2, 3, 4] }) }, undefined, { gpc: true })).toEqual(NONE);
});

describe("TCF", () => {
  test.each<[string, Answer, object]>([
    ["all four purposes allow everything", { consents: [1, 2, 3, 4] }, ALL],
    ["without consent to storage, nothing is allowed", { consents: [2, 3, 4] }, NONE],
    ["without consent to profiles, only caps are allowed", { consents: [1, 2, 3] }, CAPS_ONLY],
    ["legitimate interest in basic ads is enough for caps", { consents: [1], interests: [2] }, CAPS_ONLY],
    ["legitimate interest in profiles is not enough for signals", { consents: [1, 2], interests: [3, 4] }, CAPS_ONLY],
    ["consent from 14 months ago is ignored", { consents: [1, 2, 3, 4], updated: new Date("2025-09-01") }, NONE],
    ["consent from the future is ignored", { consents: [1, 2, 3, 4], updated: new Date("2026-12-01") }, NONE],
  ])("%s", (_, answer, expected) => {
    expect(rightsOf({ tcf: tcf(answer) })).toEqual(expected);
  });

  test("an installation that is a listed vendor needs that vendor's consent", () => {
    const consents = [1, 2, 3, 4];
    expect(rightsOf({ tcf: tcf({ consents }) }, VENDOR)).toEqual(ALL);
    expect(rightsOf({ tcf: tcf({ consents, vendor: false }) }, VENDOR)).toEqual(NONE);
  });

  const ALL_PURPOSES = [1, 2, 3, 4];
  const withoutDisclosed = (text: string) => text.replace(/\.[I-P][^.]*/, "");

  test("a listed vendor that the string does not disclose has no rights", () => {
    const other = tcf({ consents: ALL_PURPOSES, disclosed: [VENDOR - 1, VENDOR + 1] });
    expect([rightsOf({ tcf: other }, VENDOR), rightsOf({ tcf: other })]).toEqual([NONE, ALL]);
    expect(rightsOf({ tcf: tcf({ consents: ALL_PURPOSES, disclosed: [] }) }, VENDOR)).toEqual(NONE);
    const wide = Array.from({ length: 400 }, (_, i) => i + 1);
    expect(rightsOf({ tcf: tcf({ consents: ALL_PURPOSES, disclosed: wide }) }, VENDOR)).toEqual(ALL);
    const gap = wide.filter((id) => id !== VENDOR);
    expect(rightsOf({ tcf: tcf({ consents: ALL_PURPOSES, disclosed: gap }) }, VENDOR)).toEqual(NONE);
    const old = tcf({ consents: ALL_PURPOSES, disclosed: gap, updated: new Date("2026-01-10") });
    expect(rightsOf({ tcf: old }, VENDOR)).toEqual(NONE);
  });

  test.each([
    ["2026-02-28", ALL],
    ["2026-03-01", NONE],
    ["2026-11-01", NONE],
  ])("a string of %s without the segment of disclosed vendors", (day, expected) => {
    const text = withoutDisclosed(tcf({ consents: ALL_PURPOSES, updated: new Date(day) }));
    expect([rightsOf({ tcf: text }), rightsOf({ tcf: text }, VENDOR)]).toEqual([expected, expected]);
  });

  test("segments may have any order, and each kind comes once", () => {
    const text = tcf({ consents: ALL_PURPOSES });
    const [core = "", disclosed = "", publisher = ""] = text.split(".");
    expect(rightsOf({ tcf: `${core}.${publisher}.${disclosed}` }, VENDOR)).toEqual(ALL);
    for (const wrong of [
      `${core}.${disclosed}.${disclosed}`,
      `${core}.${core}`,
      `${disclosed}.${core}`,
      `${core}.`,
      `${text}.gAAA`,
      `${text}.`,
      `B${text.slice(1)}`,
      `D${text.slice(1)}`,
    ])
      expect(rightsOf({ tcf: wrong })).toEqual(NONE);
  });

  test("a truncated string allows nothing", () => {
    const whole = tcf({ consents: ALL_PURPOSES, restriction: RestrictionType.NOT_ALLOWED });
    const [core = "", disclosed = ""] = whole.split(".");
    // The last characters of a segment may be padding.
    for (let length = 0; length < core.length - 4; length++)
      expect(rightsOf({ tcf: `${core.slice(0, length)}.${disclosed}` }, VENDOR)).toEqual(NONE);
    for (let length = 1; length < disclosed.length - 4; length++)
      expect(rightsOf({ tcf: `${core}.${disclosed.slice(0, length)}` }, VENDOR)).toEqual(NONE);
  });

  test("a string that names every vendor a thousand times is read at once", () => {
    const [core = ""] = tcf({ consents: ALL_PURPOSES }).split(".");
    const range = (times: number) =>
      `${"1".repeat(16)}1${times.toString(2).padStart(12, "0")}${`1${"1".padStart(16, "0")}${"1".repeat(16)}`.repeat(times)}`;
    const bits = `001${range(1_400)}`;
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const disclosed = (bits.match(/.{1,6}/g) ?? []).map((six) => digits[Number.parseInt(six.padEnd(6, "0"), 2)]);
    expect(rightsOf({ tcf: `${core}.${disclosed.join("")}` }, VENDOR)).toEqual(ALL);
    // Three characters of this header name three million sections.
    expect(rightsOf({ gpp: "DBABsCqCVT~1YNN" })).toEqual(NONE);
  });

  test("a publisher's restriction applies to the listed vendor", () => {
    const refused = tcf({ consents: [1, 2, 3, 4], restriction: RestrictionType.NOT_ALLOWED });
    expect(rightsOf({ tcf: refused }, VENDOR)).toEqual({ caps: false, signals: true });
    const byConsent = tcf({ consents: [1], interests: [2], restriction: RestrictionType.REQUIRE_CONSENT });
    expect(rightsOf({ tcf: byConsent }, VENDOR)).toEqual(NONE);
  });
});

describe("GPP", () => {
  const nat = (field: string, value: unknown) => gpp([["usnat", field, value]]);
  test.each<[string, { gpp: string; gpp_sid?: number[] }, object]>([
    ["no opt-out allows", { gpp: nat("SaleOptOut", 2), gpp_sid: [7] }, ALL],
    ["an opt-out of sale denies", { gpp: nat("SaleOptOut", 1), gpp_sid: [7] }, NONE],
    ["an opt-out of sharing denies", { gpp: nat("SharingOptOut", 1), gpp_sid: [7] }, NONE],
    ["an opt-out of targeted advertising denies", { gpp: nat("TargetedAdvertisingOptOut", 1), gpp_sid: [7] }, NONE],
    ["Global Privacy Control inside the string denies", { gpp: nat("Gpc", true), gpp_sid: [7] }, NONE],
    ["a known child denies", { gpp: nat("KnownChildSensitiveDataConsents", [0, 1]), gpp_sid: [7] }, NONE],
    ["a state's section counts as well", { gpp: gpp([["usca", "SharingOptOut", 1]]), gpp_sid: [8] }, NONE],
    ["without section ids, every section in the string applies", { gpp: nat("SaleOptOut", 1) }, NONE],
    ["a section that does not apply is ignored", { gpp: nat("SaleOptOut", 1), gpp_sid: [-1] }, ALL],
    ["a missing applicable section denies", { gpp: nat("SaleOptOut", 2), gpp_sid: [8] }, NONE],
    ["a US privacy opt-out denies", { gpp: gpp([["uspv1", "OptOutSale", "Y"]]), gpp_sid: [6] }, NONE],
    ["US privacy without an opt-out allows", { gpp: gpp([["uspv1", "OptOutSale", "N"]]), gpp_sid: [6] }, ALL],
  ])("%s", (_, consent, expected) => {
    expect(rightsOf(consent)).toEqual(expected);
  });

  test("its European section is treated like a TCF string", () => {
    const of = (consents: number[]) => {
      const model = new GppModel();
      const bits = Array.from({ length: 24 }, (_, i) => consents.includes(i + 1));
      model.setFieldValue("tcfeuv2", "IsServiceSpecific", true);
      model.setFieldValue("tcfeuv2", "PurposeConsents", bits);
      model.setFieldValue("tcfeuv2", "LastUpdated", NOW);
      model.setFieldValue("tcfeuv2", "Created", NOW);
      return model.encode();
    };
    const clock = new ManualClock(new Date());
    const reader = new ConsentReader({ clock });
    expect(reader.rightsOf(VISITOR, { gpp: of([1, 2, 3, 4]), gpp_sid: [2] })).toEqual(ALL);
    expect(reader.rightsOf(VISITOR, { gpp: of([1, 2]), gpp_sid: [2] })).toEqual(CAPS_ONLY);
    expect(reader.rightsOf(VISITOR, { gpp: of([]), gpp_sid: [2] })).toEqual(NONE);
  });
});

describe("GPP and TCF 2.3", () => {
  const section = (answer: Answer) => {
    const model = new GppModel();
    model.setFieldValue("usnat", "SaleOptOut", 2);
    return model.encode().replace("DBABLA~", `DBACMMA~${tcf(answer)}~`);
  };

  test("the European section obeys the same rules as a TC string", () => {
    const consents = [1, 2, 3, 4];
    const of = (text: string, vendorId?: number) => rightsOf({ gpp: text, gpp_sid: [2] }, vendorId);
    expect(of(section({ consents }), VENDOR)).toEqual(ALL);
    expect(of(section({ consents, vendor: false }), VENDOR)).toEqual(NONE);
    expect(of(section({ consents, disclosed: [VENDOR + 1] }), VENDOR)).toEqual(NONE);
    const undisclosed = section({ consents }).replace(/\.I[^.]*/, "");
    expect([of(undisclosed), rightsOf({ gpp: undisclosed })]).toEqual([NONE, NONE]);
    expect(rightsOf({ gpp: tcf({ consents }) }, VENDOR)).toEqual(ALL);
  });

  test("a section that svc does not know denies, unless it does not apply", () => {
    // Section 100 alone, and beside that of the United States.
    expect(rightsOf({ gpp: unknownSection([100], "BVVVVVVVVWA.AA") })).toEqual(NONE);
    const both = unknownSection([7, 100], "CAAgAAAAAABA.QA~BVVVVVVVVWA");
    expect([rightsOf({ gpp: both }), rightsOf({ gpp: both, gpp_sid: [7] })]).toEqual([NONE, ALL]);
  });

  test("the Canadian section counts express and implied consent", () => {
    const of = (express: number[], implied: number[], updated = NOW) => {
      const model = new GppModel();
      const bits = (ids: number[]) => Array.from({ length: 24 }, (_, i) => ids.includes(i + 1));
      model.setFieldValue("tcfcav1", "PurposesExpressConsent", bits(express));
      model.setFieldValue("tcfcav1", "PurposesImpliedConsent", bits(implied));
      model.setFieldValue("tcfcav1", "LastUpdated", updated);
      return rightsOf({ gpp: model.encode(), gpp_sid: [5] });
    };
    expect([of([1, 2], [3, 4]), of([1, 2], [3]), of([], [2, 3, 4])]).toEqual([ALL, CAPS_ONLY, NONE]);
    expect(of([1, 2, 3, 4], [], new Date("2025-09-01"))).toEqual(NONE);
  });
});

/** A GPP string whose header lists these sections, of which the model knows some. */
function unknownSection(ids: number[], sections: string): string {
  const series = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];
  let last = 0;
  const codes = ids.map((id) => {
    let rest = id - last;
    last = id;
    const terms = series.filter((term) => term <= rest);
    const bits = terms.reverse().map((term) => {
      const isIn = term <= rest;
      if (isIn) rest -= term;
      return isIn ? "1" : "0";
    });
    return `0${bits.reverse().join("")}1`;
  });
  const text = `000011000001${ids.length.toString(2).padStart(12, "0")}${codes.join("")}`;
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const header = (text.match(/.{1,6}/g) ?? []).map((six) => digits[Number.parseInt(six.padEnd(6, "0"), 2)]).join("");
  return `${header}~${sections}`;
}

describe("an unreadable string denies", () => {
  test.each([
    "x",
    "garbage",
    "C",
    "COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA".slice(0, 9),
    "A".repeat(8192),
    "~~~",
    "\u0000",
    "😀",
  ])("%j", (text) => {
    expect(rightsOf({ tcf: text })).toEqual(NONE);
    expect(rightsOf({ gpp: text })).toEqual(NONE);
  });
});
