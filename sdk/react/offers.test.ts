import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Offers, type OffersProps } from "./offers";

const html = (props: OffersProps): string => renderToString(createElement(Offers, props));

describe("on the server", () => {
  it("is an empty element with the attributes that the widget reads", () => {
    const props = { query: 'a "b" <c>', context: "shoes", placement: "side", limit: 3 } as const;
    expect(html({ ...props, layout: "list", theme: "dark", id: "ads", className: "x", style: { color: "red" } })).toBe(
      '<div id="ads" class="x" style="color:red" data-svc-offers="" data-query="a &quot;b&quot; &lt;c&gt;" ' +
        'data-context="shoes" data-placement="side" data-limit="3" data-layout="list" data-theme="dark"></div>',
    );
    expect(html({})).toBe('<div data-svc-offers=""></div>');
  });

  it("brings the script's tag, with the key, the nonce and the hash", () => {
    const props = { src: "https://svc.example/widget.js", channelKey: "svc_pub_x", nonce: "n", integrity: "sha384-x" };
    const tag = /<script[^>]*>/.exec(html(props))?.[0] ?? "";
    expect(html({ ...props, api: "https://ads.example" })).toContain('data-api="https://ads.example"');
    expect(tag).not.toContain("data-api");
    for (const part of ["async", `src="${props.src}"`, 'data-key="svc_pub_x"', 'nonce="n"', 'integrity="sha384-x"'])
      expect(tag).toContain(part);
    expect(tag).toMatch(/crossorigin="anonymous"/i);
    expect(html({ query: "a" })).not.toContain("<script");
  });

  it.each<[string, OffersProps]>([
    ["a field that has no attribute", { userId: "u" }],
    ["a handler", { onRendered: () => undefined }],
  ])("leaves the slot to the browser's React where there is %s", (_, props) => {
    expect(html({ query: "a", ...props })).toBe('<div data-query="a"></div>');
  });
});
