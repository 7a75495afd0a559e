import { describe, expect, it } from "vitest";
import { fateOf } from "./conversion-words";

const BOOKS = { campaign: "Books in spring", duplicate: false };

describe("what became of a reported order", () => {
  it("names the campaign that it counts for, and by what", () => {
    expect(fateOf({ attribution: "click", reason: null }, BOOKS)).toBe(
      "It arrived: it counts for Books in spring, after a click.",
    );
  });

  it("says why an order counts for nobody", () => {
    expect(fateOf({ attribution: "none", reason: "unknown_click" }, BOOKS)).toBe(
      "It arrived: it is kept, but counts for no campaign. No counted click of your campaigns has this click id.",
    );
  });

  it("says that a repeated order stays what it was", () => {
    expect(fateOf({ attribution: "view", reason: null }, { ...BOOKS, duplicate: true })).toMatch(
      /^This order had been reported before, and stays what it was: it counts for Books in spring, after a view\.$/,
    );
  });
});
