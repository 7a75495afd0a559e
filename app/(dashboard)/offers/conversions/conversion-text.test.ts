import { describe, expect, it } from "vitest";
import { resultText } from "./conversion-text";

const BOOKS = { campaign: "Books in spring", duplicate: false };

describe("the text for a reported order", () => {
  it("names the campaign that it is attributed to, and by what", () => {
    expect(resultText({ attribution: "click", reason: null }, BOOKS)).toBe(
      "Order received: it is attributed to Books in spring, after a click.",
    );
  });

  it("says why an order is not attributed", () => {
    expect(resultText({ attribution: "none", reason: "unknown_click" }, BOOKS)).toBe(
      "Order received: it is stored, but not attributed to a campaign. No counted click of your campaigns has this click ID.",
    );
  });

  it("says that a repeated order is unchanged", () => {
    expect(resultText({ attribution: "view", reason: null }, { ...BOOKS, duplicate: true })).toMatch(
      /^This order was already reported and is unchanged: it is attributed to Books in spring, after a view\.$/,
    );
  });
});
