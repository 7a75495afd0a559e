interface WidgetSnippet {
  publicUrl: string;
  key?: string;
  /** What the offers should answer; without one the widget sends the page's title as context. */
  query?: string;
  placement?: string;
  theme?: string;
  limit?: string;
}

/** The line that loads the widget, and one slot for offers with the attributes that the widget reads. */
export function widgetSnippet({ publicUrl, key = "svc_pub_…", query, placement, theme, limit = "3" }: WidgetSnippet) {
  const attributes = [
    attribute("query", query),
    attribute("placement", placement),
    attribute("limit", limit),
    // "auto" follows the reader's system, which is what the widget does unasked.
    attribute("theme", theme === "auto" ? undefined : theme),
  ];
  return `<script async src="${publicUrl}/widget.js" data-key="${key}"></script>
<div data-svc-offers${attributes.join("")}></div>`;
}

const attribute = (name: string, value: string | undefined): string =>
  value ? ` data-${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"` : "";

/** The offers API from a shell. */
export const serverCall = (publicUrl: string, key = "svc_srv_…") =>
  `curl ${publicUrl}/api/v1/offers \\
  -H "X-SVC-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"query":"noise cancelling headphones","limit":3}'`;
