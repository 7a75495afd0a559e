import { describe, expect, it } from "vitest";
import { policyLine, QUERY_SOURCES, reactSnippet, scriptSnippet, widgetSnippet } from "./snippet-text";

const AT = { publicUrl: "https://svc.example", key: "svc_pub_k" };
const PINNED = { path: "/widget-0123456789abcdef.js", integrity: "sha384-abc" };

describe("the block to paste", () => {
  it("leaves out what the widget does unasked", () => {
    expect(widgetSnippet({ ...AT, source: "page", query: "kept for later", layout: "card", theme: "auto" })).toBe(
      `<script async src="https://svc.example/widget.js" data-key="svc_pub_k"></script>
<div data-svc-offers data-limit="3"></div>`,
    );
  });

  it("names every choice that was made", () => {
    const made = {
      source: "text",
      query: "tents",
      placement: "below",
      limit: "5",
      layout: "list",
      theme: "dark",
    } as const;
    expect(widgetSnippet({ ...AT, ...made })).toContain(
      '<div data-svc-offers data-query="tents" data-placement="below" data-limit="5" data-layout="list" data-theme="dark"></div>',
    );
  });

  it("keeps a text inside its attribute", () => {
    expect(widgetSnippet({ ...AT, source: "text", query: '"><script>&' })).toContain(
      'data-query="&quot;><script>&amp;"',
    );
  });

  it("names a pinned version with its hash, which browsers check only of an answer to CORS", () => {
    expect(widgetSnippet({ ...AT, pinned: PINNED })).toContain(
      `<script async src="https://svc.example/widget-0123456789abcdef.js" data-key="svc_pub_k"
  integrity="sha384-abc" crossorigin="anonymous"></script>`,
    );
  });
});

describe("the same by script", () => {
  it("is a program, whatever was typed", () => {
    const query = `"); alert(1) // </script><!-- \u2028`;
    const snippet = scriptSnippet({ ...AT, source: "text", query, placement: "top", limit: "2" });
    const [, body = ""] = snippet.split("<script>\n");
    expect(body.match(/<\/script>/g)).toHaveLength(1);
    const calls: unknown[][] = [];
    const program = new Function("window", "document", "svc", body.replace("</script>", ""));
    const svc = (...call: unknown[]) => calls.push(call);
    program({ svc }, { getElementById: () => "slot" }, svc);
    expect(calls[0]).toEqual(["render", "slot", { query, placement: "top", limit: 2 }]);
  });

  it("runs as it stands, whatever the words come from", () => {
    for (const source of QUERY_SOURCES) {
      const [, body = ""] = scriptSnippet({ ...AT, source, query: "tents" }).split("<script>\n");
      const program = new Function("window", "document", "svc", body.replace("</script>", ""));
      const svc = () => undefined;
      expect(() => program({ svc }, { getElementById: () => "slot" }, svc)).not.toThrow();
    }
  });

  it("takes the looks from the element", () => {
    expect(scriptSnippet({ ...AT, layout: "banner", theme: "light" })).toContain(
      '<div id="offers" data-layout="banner" data-theme="light"></div>',
    );
  });
});

it("writes a component with the same choices", () => {
  const made = { source: "text", query: 'a "b"', limit: "2", layout: "list", theme: "auto", pinned: PINNED } as const;
  expect(reactSnippet({ ...AT, ...made })).toBe(`import { Offers } from "@svc/sdk/react";

<Offers
  src="https://svc.example/widget-0123456789abcdef.js"
  integrity="sha384-abc"
  channelKey="svc_pub_k"
  query={"a \\"b\\""}
  limit={2}
  layout="list"
/>`);
});

it("allows svc's origin, however long its address is", () => {
  expect(policyLine("https://ads.example/svc")).toBe(
    "Content-Security-Policy: script-src https://ads.example; connect-src https://ads.example; img-src https:",
  );
});
