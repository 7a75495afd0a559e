interface WidgetSnippet {
  publicUrl: string;
  key?: string;
  layout?: string;
  theme?: string;
  limit?: string;
}

/** The line that loads the widget and one slot for offers. */
export const widgetSnippet = ({
  publicUrl,
  key = "svc_pub_…",
  layout = "card",
  theme = "auto",
  limit = "3",
}: WidgetSnippet) =>
  `<script async src="${publicUrl}/widget.js" data-key="${key}"></script>
<div data-svc-offers data-layout="${layout}" data-theme="${theme}" data-limit="${limit}"></div>`;

/** The offers API from a shell. */
export const serverCall = (publicUrl: string, key = "svc_srv_…") =>
  `curl ${publicUrl}/api/v1/offers \\
  -H "X-SVC-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"query":"noise cancelling headphones","limit":3}'`;
