import { describe, expect, it } from "vitest";
import { SECTIONS } from "../../navigation";
import { currentHref } from "./navigation-section";

describe("currentHref", () => {
  it.each([
    ["/offers", "/offers"],
    ["/offers/campaigns", "/offers/campaigns"],
    ["/offers/campaigns/cmp_1", "/offers/campaigns"],
    ["/offers/unlisted", "/offers"],
    ["/account/settings", "/account/settings"],
    ["/offersx", undefined],
    ["/account", undefined],
  ])("marks for the page %s the entry %s", (pathname, href) => {
    expect(currentHref(SECTIONS, pathname)).toBe(href);
  });
});
