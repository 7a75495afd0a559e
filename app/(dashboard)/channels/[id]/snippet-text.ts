/** Where the words come from that offers answer to: the page itself, always the same text, or the page's own script. */
export const QUERY_SOURCES = ["page", "text", "script"] as const;
export type QuerySource = (typeof QUERY_SOURCES)[number];

/** One version of the widget for ever, as `/widget.json` names it. */
export interface WidgetVersion {
  path: string;
  integrity: string;
}

/** How a slot is set up; what is left out is what the widget does unasked. */
export interface SlotChoices {
  source?: QuerySource;
  /** For the source "text". */
  query?: string;
  placement?: string;
  layout?: string;
  theme?: string;
  limit?: string;
}

interface Snippet extends SlotChoices {
  publicUrl: string;
  key?: string;
  /** Given, the page gets exactly this version, and its browser checks that. */
  pinned?: WidgetVersion | undefined;
}

const NO_KEY = "svc_pub_…";
const DEFAULT_LIMIT = "3";

/** The line that loads the widget, and one slot for offers with the attributes that the widget reads. */
export function widgetSnippet(snippet: Snippet): string {
  const { source, query, placement, limit = DEFAULT_LIMIT } = snippet;
  const attributes = [
    attribute("query", source === "text" ? query : undefined),
    attribute("placement", placement),
    attribute("limit", limit),
    ...looks(snippet),
  ];
  const slot = `${scriptTag(snippet)}\n<div data-svc-offers${attributes.join("")}></div>`;
  if (source !== "script") return slot;
  return `${slot}
<script>
  // Wherever your page learns what the reader looks for; the slot asks again:
  function showOffersFor(words) {
    document.querySelector("[data-svc-offers]").dataset.query = words;
  }
</script>`;
}

/** The same slot made by script, for pages that build themselves: calls wait until the widget has arrived. */
export function scriptSnippet(snippet: Snippet): string {
  const { source, query, placement, limit = DEFAULT_LIMIT } = snippet;
  const fields = [
    source === "text" && query ? `query: ${literal(query)}` : "",
    placement ? `placement: ${literal(placement)}` : "",
    `limit: ${Number(limit)}`,
  ];
  const update =
    source === "script" ? '\n  function showOffersFor(words) { svc("update", slot, { query: words }); }' : "";
  return `${scriptTag(snippet)}
<div id="offers"${looks(snippet).join("")}></div>
<script>
  window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments); };
  const slot = document.getElementById("offers");
  svc("render", slot, { ${fields.filter(Boolean).join(", ")} });
  svc("on", "empty", () => { /* nothing matched */ });${update}
  // svc("destroy", slot); when it goes
</script>`;
}

/** The same slot as a component of React. */
export function reactSnippet({ publicUrl, key = NO_KEY, pinned, ...choices }: Snippet): string {
  const { source, query, placement, layout, theme, limit = DEFAULT_LIMIT } = choices;
  const props = [
    `src=${JSON.stringify(publicUrl + (pinned?.path ?? "/widget.js"))}`,
    pinned && `integrity="${pinned.integrity}"`,
    `channelKey="${key}"`,
    source === "script" && "query={words}",
    source === "text" && query && `query={${literal(query)}}`,
    placement && `placement={${literal(placement)}}`,
    `limit={${Number(limit)}}`,
    layout && layout !== "card" && `layout="${layout}"`,
    theme && theme !== "auto" && `theme="${theme}"`,
  ];
  return `import { Offers } from "@svc/sdk/react";

<Offers
${props
  .filter(Boolean)
  .map((prop) => `  ${prop}`)
  .join("\n")}
/>`;
}

/** What a page has to allow, beside what it allows already, when it sends a Content-Security-Policy. */
export function policyLine(publicUrl: string): string {
  const { origin } = new URL(publicUrl);
  return `Content-Security-Policy: script-src ${origin}; connect-src ${origin}; img-src https:`;
}

/** The offers API from a shell. */
export const serverCall = (publicUrl: string, key = "svc_srv_…"): string =>
  `curl ${publicUrl}/api/v1/offers \\
  -H "X-SVC-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"query":"noise cancelling headphones","limit":3}'`;

function scriptTag({ publicUrl, key = NO_KEY, pinned }: Snippet): string {
  if (!pinned) return `<script async src="${publicUrl}/widget.js" data-key="${key}"></script>`;
  return `<script async src="${publicUrl}${pinned.path}" data-key="${key}"
  integrity="${pinned.integrity}" crossorigin="anonymous"></script>`;
}

/** Cards, and a theme that follows the reader's system, are what the widget draws unasked. */
const looks = ({ layout, theme }: SlotChoices): string[] => [
  attribute("layout", layout === "card" ? undefined : layout),
  attribute("theme", theme === "auto" ? undefined : theme),
];

const attribute = (name: string, value: string | undefined): string =>
  value ? ` data-${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"` : "";

/** A string of JavaScript that may stand in a page: no end of a script, no comment of markup. */
const literal = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");
