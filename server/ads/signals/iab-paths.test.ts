import { describe, expect, it } from "vitest";
import adProduct2 from "./iab/ad-product-2.json";
import content1 from "./iab/content-1.json";
import content2 from "./iab/content-2.json";
import content3 from "./iab/content-3.json";
import { iabPaths } from "./iab-paths";

const SMARTPHONES = "Technology & Computing > Consumer Electronics > Smartphones";

describe("a known id returns its path, parent first", () => {
  it.each([
    ["content 1.0", "IAB19", "Technology & Computing"],
    ["content 1.0", "IAB19-6", "Technology & Computing > Cell Phones"],
    ["content 1.0", "IAB5-1", "Education > 7-12 Education"],
    ["content 1.0", "IAB17-44", "Sports > World Soccer"],
    ["content 1.0", "IAB26-4", "Illegal Content > Copyright Infringement"],
    ["content 2.0", "635", SMARTPHONES],
    ["content 2.1", "149", "Education > Primary Education"],
    ["content 2.2", "324", "Movies"],
    ["content 2.2", "376", "Music and Audio > Talk Radio > Public Radio"],
    ["content 2.2", "581", "Style & Fashion > Men's Fashion > Men's Accessories > Men's Jewelry and Watches"],
    ["content 2.2", "698", "Video Gaming > Video Game Genres > Puzzle Video Games"],
    ["content 2.2", "8FD8nI", "Sensitive Topics > Terrorism"],
    ["content 3.0", "324", "Entertainment > Movies"],
    ["content 3.1", "635", SMARTPHONES],
    ["content 3.1", "340", "Entertainment > Music > Adult Contemporary Music > Soft AC Music"],
    ["content 3.1", "VK7KD0", "Video Gaming > Video Game Genres > Racing Video Games"],
    ["content 3.1", "389", "War and Conflicts"],
    ["ad_product 2.0", "1000", "Ad Safety Risk"],
    ["ad_product 2.0", "1107", "Consumer Electronics > Computers > Laptops"],
    ["product 2.0", "1571", "Vehicles > Vehicle Type > Electric Vehicles"],
    ["product 2.0", "1582", "Weapons and Ammunition > Taser and Stun Guns"],
  ])("%s: %s", (named, id, path) => {
    const [type, version] = named.split(" ");
    expect(iabPaths({ type, version, ids: [id] })).toEqual([path]);
  });

  it.each([
    ["content 3.1", "497", "Sports > Equine Sports > Horse Racing"],
    ["ad_product 2.0", "1037", "Business and Industrial > Industrials > Aerospace and Defense"],
    ["ad_product 2.0", "1426", "Media > Core Gaming > Core Gaming Apps"],
  ])("takes the tiers of %s %s over its published parent", (named, id, path) => {
    const [type, version] = named.split(" ");
    expect(iabPaths({ type, version, ids: [id] })).toEqual([path]);
  });
});

describe("missing fields and unusual spellings of a signal", () => {
  it("treats a missing type as content", () => {
    expect(iabPaths({ version: "2.2", ids: ["635"] })).toEqual([SMARTPHONES]);
  });

  it("uses the newest version that contains the id if none is given", () => {
    expect(iabPaths({ type: "content", ids: ["324", "47", "IAB8-18"] })).toEqual([
      "Entertainment > Movies",
      "Books and Literature > Cookbooks",
      "Food & Drink > Wine",
    ]);
    expect(iabPaths({ type: "product", ids: ["1004"] })).toEqual(["Alcohol > Beer"]);
  });

  it("treats an id like IAB19-6 as content 1.0 with any type and version", () => {
    for (const iab of [
      { type: "content", version: "3.1" },
      { type: "product" },
      { type: "audience", version: "1.1" },
    ]) {
      expect(iabPaths({ ...iab, ids: ["IAB19-6"] })).toEqual(["Technology & Computing > Cell Phones"]);
    }
  });

  it("ignores upper case, spaces and patch versions", () => {
    expect(iabPaths({ type: " Content ", version: "3.1.0", ids: [" VK7KD0 ", "vk7kd0", "iab8-18"] })).toEqual([
      "Video Gaming > Video Game Genres > Racing Video Games",
      "Food & Drink > Wine",
    ]);
    expect(iabPaths({ type: "AD_PRODUCT", version: "2.0.12", ids: ["1004"] })).toEqual(["Alcohol > Beer"]);
  });

  it("keeps the order of the ids and returns each path once", () => {
    expect(iabPaths({ ids: ["424", "425", "424"] })).toEqual(["Pets > Cats", "Pets > Dogs"]);
  });

  it("does not look up an id in another taxonomy", () => {
    expect(iabPaths({ type: "content", ids: ["1004"] })).toEqual([]);
    expect(iabPaths({ type: "product", ids: ["635"] })).toEqual([]);
    expect(iabPaths({ version: "3.1", ids: ["47"] })).toEqual([]);
    expect(iabPaths({ version: "1.0", ids: ["635"] })).toEqual([]);
  });
});

describe("hostile and unknown input is skipped", () => {
  it.each([undefined, {}, { ids: [] }, { type: "content", version: "3.1" }])("nothing to look up: %j", (iab) => {
    expect(iabPaths(iab)).toEqual([]);
  });

  it.each([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    " ",
    "0",
    "-1",
    "699",
    "99999999999999999999",
  ])("id %j", (id) => {
    expect(iabPaths({ ids: [id, "635"] })).toEqual([SMARTPHONES]);
    expect(iabPaths({ type: "product", ids: [id] })).toEqual([]);
  });

  it.each([
    "635.0",
    "0635",
    "6e2",
    "0x27b",
    "NaN",
    "IAB",
    "IAB0",
    "IAB27",
    "IAB19-",
    "IAB19-37",
    "IAB19-6-1",
    "IAB24-1",
  ])("id %j", (id) => {
    expect(iabPaths({ ids: [id, "635"] })).toEqual([SMARTPHONES]);
  });

  it.each(["audience", "__proto__", "constructor", "", "contents"])("type %j", (type) => {
    expect(iabPaths({ type, ids: ["635", "1004"] })).toEqual([]);
  });

  it.each(["", "2", "2.3", "3.2", "3.10", "4.0", "v3.1", "3.1.", "3.1.0.0", "__proto__"])("version %j", (version) => {
    expect(iabPaths({ version, ids: ["635"] })).toEqual([]);
  });

  it("reads only the first fifty ids", () => {
    const ids = Array.from({ length: 49 }, () => "no such id");
    expect(iabPaths({ ids: [...ids, "635", "424"] })).toEqual([SMARTPHONES]);
  });
});

describe.each([
  { name: "content 1.0", entries: content1.entries, type: "content", version: "1.0", count: 392 },
  { name: "content 2.2", entries: content2.entries, type: "content", version: "2.2", count: 710 },
  { name: "content 3.1", entries: content3.entries, type: "content", version: "3.1", count: 704 },
  { name: "ad product 2.0", entries: adProduct2.entries, type: "ad_product", version: "2.0", count: 583 },
])("the table of $name", ({ entries, type, version, count }) => {
  it("has an id, an optional parent and a name in every entry", () => {
    expect(entries).toHaveLength(count);
    expect(entries.filter(([id, , name]) => !id?.match(/^[A-Za-z0-9-]+$/) || name !== name?.trim() || !name)).toEqual(
      [],
    );
    expect(entries.filter((columns) => columns.length !== 3)).toEqual([]);
  });

  it("has no id twice, in any case", () => {
    expect(new Set(entries.map(([id]) => id?.toLowerCase())).size).toBe(count);
  });

  it("lists every parent before its children, so that paths have no cycles", () => {
    const above = new Set([""]);
    for (const [id = "", parent = ""] of entries) {
      expect(above).toContain(parent);
      above.add(id);
    }
  });

  it("returns the parent's path and the own name for every entry, at most four levels", () => {
    for (const [id = "", parent = "", name = ""] of entries) {
      const [path = ""] = iabPaths({ type, version, ids: [id] });
      const [start] = iabPaths({ type, version, ids: [parent] });
      expect(path).toBe(start === undefined ? name : `${start} > ${name}`);
      expect(path.split(" > ").length).toBeLessThanOrEqual(4);
    }
  });
});
