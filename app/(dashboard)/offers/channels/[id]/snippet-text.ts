/** Where the query comes from: the page's content, a fixed text, or the page's own script. */
export const QUERY_SOURCES = ["page", "text", "script"] as const;
export type QuerySource = (typeof QUERY_SOURCES)[number];

/** An immutable version of the widget, as `/widget.json` names it. */
export interface WidgetVersion {
  path: string;
  integrity: string;
}

/** The options of a slot; omitted ones use the widget's defaults. */
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
  /** A browser key of the channel. */
  key: string;
  /** When set, the page loads exactly this version, and the browser verifies its hash. */
  pinned?: WidgetVersion | undefined;
}

const DEFAULT_LIMIT = "3";

/** The line that loads the widget, and one slot for offers with the attributes that the widget reads. */
export function widgetSnippet(snippet: Snippet): string {
  const { source, query, placement, limit = DEFAULT_LIMIT } = snippet;
  const attributes = [
    attribute("query", source === "text" ? query : undefined),
    attribute("placement", placement),
    attribute("limit", limit),
    ...layoutAndTheme(snippet),
  ];
  const slot = `${scriptTag(snippet)}\n<div data-svc-offers${attributes.join("")}></div>`;
  if (source !== "script") return slot;
  return `${slot}
<script>
  // Call this when the reader's query changes; the slot requests new offers:
  function showOffersFor(words) {
    document.querySelector("[data-svc-offers]").dataset.query = words;
  }
</script>`;
}

/** The same slot created by script, for client-rendered pages: calls are queued until the widget has loaded. */
export function scriptSnippet(snippet: Snippet): string {
  const { source, query, placement, limit = DEFAULT_LIMIT } = snippet;
  const fields = [
    source === "text" && query ? `query: ${scriptString(query)}` : "",
    placement ? `placement: ${scriptString(placement)}` : "",
    `limit: ${Number(limit)}`,
  ];
  const update =
    source === "script" ? '\n  function showOffersFor(words) { svc("update", slot, { query: words }); }' : "";
  return `${scriptTag(snippet)}
<div id="offers"${layoutAndTheme(snippet).join("")}></div>
<script>
  window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments); };
  const slot = document.getElementById("offers");
  svc("render", slot, { ${fields.filter(Boolean).join(", ")} });
  svc("on", "empty", () => { /* nothing matched */ });${update}
  // svc("destroy", slot); when it goes
</script>`;
}

/** The same slot as a component of React. */
export function reactSnippet({ publicUrl, key, pinned, ...choices }: Snippet): string {
  const { source, query, placement, layout, theme, limit = DEFAULT_LIMIT } = choices;
  const props = [
    `src=${JSON.stringify(publicUrl + (pinned?.path ?? "/widget.js"))}`,
    pinned && `integrity="${pinned.integrity}"`,
    `channelKey="${key}"`,
    source === "script" && "query={words}",
    source === "text" && query && `query={${scriptString(query)}}`,
    placement && `placement={${scriptString(placement)}}`,
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

/** The offers API from a shell, with a server key, or with the variable that holds one. */
export const serverCall = (publicUrl: string, key = "$SVC_CHANNEL_KEY"): string =>
  `curl ${publicUrl}/api/v1/offers \\
  -H "X-SVC-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"query":"noise cancelling headphones","limit":3}'`;

function scriptTag({ publicUrl, key, pinned }: Snippet): string {
  if (!pinned) return `<script async src="${publicUrl}/widget.js" data-key="${key}"></script>`;
  return `<script async src="${publicUrl}${pinned.path}" data-key="${key}"
  integrity="${pinned.integrity}" crossorigin="anonymous"></script>`;
}

/** The widget defaults to cards and to the theme of the reader's system. */
const layoutAndTheme = ({ layout, theme }: SlotChoices): string[] => [
  attribute("layout", layout === "card" ? undefined : layout),
  attribute("theme", theme === "auto" ? undefined : theme),
];

const attribute = (name: string, value: string | undefined): string =>
  value ? ` data-${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"` : "";

/** A JavaScript string literal that is safe inside an inline script: it cannot end the script or start an HTML comment. */
const scriptString = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");
