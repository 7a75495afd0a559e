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
}

function tcf({ consents = [], interests = [], vendor = true, updated = NOW, restriction }: Answer): string {
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
  const rest = { purposes, specialPurposes: {}, features: {}, specialFeatures: {}, stacks: {}, dataCategories: {} };
  const gvl = new GVL({
    ...list,
    ...rest,
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
