import { expect, test } from "vitest";
import { headNouns } from "./head-noun";

test.each([
  ["DEWALT 20V MAX Cordless Drill with 2 Batteries", ["drill", "dewalt"]],
  ["6 ft. x 8 ft. Cedar Fence Panel", ["panel"]],
  ["Women's Running Shoes - Black, Size 8", ["shoes"]],
  ["Organic Green Tea (50 bags)", ["tea"]],
  ["Oak Dining Table for 6 People", ["table"]],
  ["The Hobbit: Illustrated Edition", ["hobbit"]],
  ["Yoga Mat 6mm Thick", ["thick", "mat"]],
  ["Gold Necklace 18K", ["necklace"]],
  ["Car Wash & Wax Kit + Sponge", ["kit"]],
  ["Beachfront Holiday Apartment in Lisbon", ["apartment"]],
  ["12, 14, Brush Set", ["set"]],
  ["Term Life Insurance | Apply Online", ["insurance"]],
])("the nouns that name %j", (title, all) => {
  expect(headNouns(title, "")).toEqual({ main: all[0], all });
});

test.each([
  ["Chaussures de course pour homme", "fr", "chaussures"],
  ["Lampe de bureau LED", "fr", "lampe"],
  ["Zapatos rojos de cuero", "es", "zapatos"],
  ["2 Sillas plegables de madera", "es", "sillas"],
  ["Schwarze Laptoptasche für Notebooks", "de", "laptoptasche"],
  ["Leichte Regenjacke mit Kapuze", "de", "regenjacke"],
  ["Chaussures de course", "en", "course"],
])("languages differ in where the noun is: %j (%s)", (title, language, main) => {
  expect(headNouns(title, "", language).main).toBe(main);
});

test("the last level of the stated category is a candidate, but not the main one", () => {
  expect(headNouns("HP LaserJet M404dn", "Electronics > Laser Printers")).toEqual({
    main: "laserjet",
    all: ["laserjet", "printers"],
  });
  expect(headNouns("", "Kitchen > Blenders")).toEqual({ main: "", all: ["blenders"] });
});

test.each(["", " ", "!!! --- ***", "2x4", "20 ft", "the with for", "()[]|", "東京", "🙂🙂"])(
  "%j names nothing",
  (title) => {
    expect(headNouns(title, "")).toEqual({ main: "", all: [] });
  },
);

test.each(["1;", "1 ", "1'", " - ", "&#1", ",", "[", "for ", "ab ", "ab,", "1x1", "\t-"])(
  "takes linear time on 100,000 characters of %j",
  (unit) => {
    const text = unit.repeat(100_000 / unit.length);
    const before = process.cpuUsage();
    headNouns(text, text, "en");
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  },
);
