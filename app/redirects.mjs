/** Addresses that pages of the dashboard had before, and where each page is now, with every path below it. */
export const MOVED_PAGES = [
  ["/advertisers", "/offers/advertisers"],
  ["/campaigns", "/offers/campaigns"],
  ["/channels", "/offers/channels"],
  ["/conversions", "/offers/conversions"],
  ["/explain", "/offers/explain"],
  ["/reports", "/offers/reports"],
  ["/api-keys", "/account/api-keys"],
  ["/audit-log", "/account/audit-log"],
  ["/outbox", "/account/outbox"],
  ["/projects", "/account/projects"],
  ["/settings", "/account/settings"],
  ["/usage", "/account/usage"],
];

/** Addresses that open another page, which may be a different one later. */
export const START_PAGES = [
  ["/dashboard", "/offers"],
  ["/account", "/account/settings"],
];

/** In the form of Next's configuration; queries are kept. */
export const REDIRECTS = [
  ...MOVED_PAGES.map(([from, to]) => ({ source: `${from}/:path*`, destination: `${to}/:path*`, permanent: true })),
  ...START_PAGES.map(([source, destination]) => ({ source, destination, permanent: false })),
];
