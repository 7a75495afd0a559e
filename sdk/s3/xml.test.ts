import { describe, expect, it } from "vitest";
import { childrenOf, escapeXml, parseXml, textOf } from "./xml";

describe("parseXml", () => {
  it("reads elements, entities, CDATA and empty elements, and skips prolog, comments and attributes", () => {
    const text = `<?xml version="1.0"?>\n<!-- a --><R xmlns="x"><K>a&amp;b&lt;&#39;&#x1F600;</K><K><![CDATA[<c>]]></K><Empty/><Owner><ID>1</ID></Owner></R>`;
    const root = parseXml(text);
    expect([root.name, childrenOf(root, "K").map((one) => one.text)]).toEqual(["R", ["a&b<'😀", "<c>"]]);
    expect([textOf(root, "Empty"), textOf(root, "Missing")]).toEqual(["", ""]);
    expect(childrenOf(root, "Owner").map((one) => textOf(one, "ID"))).toEqual(["1"]);
  });

  it.each(["", "text", "<a>", "<a></b>", "<a><b></a></b>", '{"json":1}'])("rejects %j", (text) => {
    expect(() => parseXml(text)).toThrow(/^The response is not/);
  });

  it("reads back what escapeXml writes", () => {
    const text = `<&>"'\u0001\n${"x".repeat(5)}`;
    expect(textOf(parseXml(`<r><k>${escapeXml(text)}</k></r>`), "k")).toBe(text);
  });
});
