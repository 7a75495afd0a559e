import { describe, expect, it } from "vitest";
import { campaignField, readCampaign } from "./read-campaign";

const FIELDS = {
  name: "Boots",
  bid_micros: "0.50",
  timezone: "UTC",
  pacing: "even",
  reach: "tenant",
  caps_rows: "0",
  "attribution.click_days": "30",
  "attribution.view_days": "1",
};

function formOf(typed: Record<string, string>): FormData {
  const fields = new FormData();
  for (const [name, text] of Object.entries({ ...FIELDS, ...typed })) fields.set(name, text);
  return fields;
}

describe("what a campaign's form holds", () => {
  it("comes in the names and units of the API", () => {
    expect(
      readCampaign(
        formOf({
          "keywords.broad": "boots\nwarm boots",
          "keywords.negative": "used",
          "targeting.geos": "DE, Austria",
          "targeting.locales": "German, fr-CA",
          caps_rows: "1",
          "caps[0].count": "3",
          "caps[0].window_seconds": "2",
          "caps[0].unit": "hour",
          "caps[0].per": "channel",
        }),
      ),
    ).toMatchObject({
      bid_micros: 500_000,
      daily_budget_micros: null,
      caps: [{ count: 3, window_seconds: 7200, per: "channel" }],
      keywords: [
        { text: "boots", match: "broad" },
        { text: "warm boots", match: "broad" },
        { text: "used", match: "negative" },
      ],
      targeting: { geos: ["DE", "AT"], locales: ["de", "fr-CA"], devices: [] },
    });
  });

  it.each([
    ["name", " ", "Fill in this field."],
    ["bid_micros", "a euro", "Enter an amount such as 1.25, with at most 6 decimals."],
    ["attribution.click_days", "many", "Enter a number such as 12 or 4.5."],
    ["starts_at", "soon", "Choose a day and a time."],
    ["targeting.geos", "Atlantis", "No country is called “Atlantis”. Choose one from the list."],
  ])("is refused at %s for %j", (param, text, message) =>
    expect(() => readCampaign(formOf({ [param]: text }))).toThrow(expect.objectContaining({ param, message })),
  );

  it.each([
    ["0", "hour", "Enter a whole number of at least 1."],
    ["1.5", "hour", "Enter a whole number of at least 1."],
    ["181", "day", "At most 180 days."],
  ])("is refused at a cap's window of %s %ss", (window, unit, message) => {
    const cap = { "caps[0].count": "3", "caps[0].unit": unit, "caps[0].per": "campaign" };
    expect(() => readCampaign(formOf({ caps_rows: "1", ...cap, "caps[0].window_seconds": window }))).toThrow(
      expect.objectContaining({ param: "caps[0].window_seconds", message }),
    );
  });
});

describe("where a failure of the API is in the form", () => {
  const keywords = [{ match: "broad" }, { match: "broad" }, { match: "negative" }, { match: "negative" }];

  it.each([
    ["keywords[1].text", "keywords.broad[1]"],
    ["keywords[2].text", "keywords.negative[0]"],
    ["keywords[3].text", "keywords.negative[1]"],
    ["keywords", "keywords.all"],
    ["keywords[9].text", "keywords[9].text"],
    ["daily_budget_micros", "daily_budget_micros"],
    ["targeting.geos[0]", "targeting.geos[0]"],
  ])("of %s at %s", (param, field) => expect(campaignField(param, keywords)).toBe(field));
});
