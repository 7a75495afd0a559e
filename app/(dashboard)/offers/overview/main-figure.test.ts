import { expect, it } from "vitest";
import { mainFigureOf } from "./main-figure";

const totals = { earnings_micros: 0, spend_micros: 0, impressions: 0 };

it.each([
  ["earnings of a publisher", { ...totals, earnings_micros: 1, spend_micros: 9, impressions: 9 }, "earnings_micros"],
  ["the spend of who earns nothing", { ...totals, spend_micros: 1, impressions: 9 }, "spend_micros"],
  ["impressions where nothing is paid", { ...totals, impressions: 1 }, "impressions"],
  ["requests before anything was seen", totals, "requests"],
])("the overview's largest figure is %s", (_, had, expected) => expect(mainFigureOf(had)).toBe(expected));
