import { describe, expect, it } from "vitest";
import { ExplainOffers } from "../../../../server/ads/explain/explain-offers";
import { FieldError } from "../../../trpc/failure";
import { OTHER_CHANNELS, readExplain as readIn, requestFromUrl, toUrlParams } from "./read-explain";

const EMPTY = { channel_id: "chn_1", query: "", context: "", geo: "", locale: "", device: "desktop", placement: "" };
const formOf = (typed: Record<string, string>): FormData => {
  const fields = new FormData();
  for (const [name, text] of Object.entries({ ...EMPTY, user_id: "", limit: "3", ...typed })) fields.set(name, text);
  return fields;
};

const readExplain = (fields: FormData) => readIn(fields, "live");

describe("readExplain", () => {
  it("leaves empty fields to the API's defaults", () => {
    const asked = ExplainOffers.parse(readExplain(formOf({ query: " boots " })));
    expect(asked).toMatchObject({ query: "boots", locale: "en", placement: "sponsored_result", geo: "", limit: 3 });
  });

  it("hands everything over that was typed", () => {
    const typed = { query: "boots", context: "winter", geo: "DE", locale: "de-DE", device: "mobile", placement: "top" };
    expect(readExplain(formOf({ ...typed, user_id: "u1", limit: "8", gpc: "on" }))).toEqual({
      channel_id: "chn_1",
      gpc: true,
      ...typed,
      user_id: "u1",
      limit: 8,
    });
  });

  it.each(["", "0", "9", "1.5", "many"])("refuses %j offers", (limit) =>
    expect(() => readExplain(formOf({ query: "boots", limit }))).toThrow(FieldError),
  );

  it("refuses a request without a word, and takes a context alone", () => {
    expect(() => readExplain(formOf({}))).toThrow(expect.objectContaining({ param: "query" }));
    expect(readExplain(formOf({ context: "hiking in winter" }))).toMatchObject({ query: "" });
  });
});

describe("a link to a request", () => {
  const typed = { query: "boots", geo: "DE", device: "tablet", limit: "8", gpc: "on" };

  it("names every choice, and reads back as the same request", () => {
    const asked = readExplain(formOf(typed));
    const { gpc, ...linked } = requestFromUrl(new URLSearchParams(toUrlParams(asked)));
    expect(gpc).toBe("true");
    expect(readExplain(formOf({ ...linked, gpc: "on" }))).toEqual(asked);
  });

  it("can mean other publishers' channels, in the mode of the page", () => {
    const asked = readExplain(formOf({ ...typed, channel_id: OTHER_CHANNELS }));
    expect(asked).toMatchObject({ mode: "live" });
    expect(asked).not.toHaveProperty("channel_id");
    expect(requestFromUrl(new URLSearchParams(toUrlParams(asked))).channel_id).toBe(OTHER_CHANNELS);
  });

  it("keeps a visitor's id and a whole page out of the address", () => {
    const address = toUrlParams(readExplain(formOf({ ...typed, user_id: "u1", context: "x".repeat(1001) })));
    expect(JSON.stringify(address)).not.toMatch(/u1|xxx/);
  });
});
