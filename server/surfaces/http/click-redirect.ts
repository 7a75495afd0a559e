import { namesType } from "../../kernel/media-type";
import type { HttpResult } from "./http-result";

/** The redirect of a click: the landing page receives svc's origin, but not the URL of the publisher's page. */
export const clickRedirect = ({ location }: { location: string }): HttpResult => ({
  status: 302,
  headers: { location: asciiUrl(location), "referrer-policy": "origin", "x-robots-tag": "noindex" },
  body: null,
});

/** Headers are ASCII, so an internationalized URL is encoded as browsers do it. */
const asciiUrl = (location: string): string => (/^[\x21-\x7e]+$/.test(location) ? location : new URL(location).href);

const PAGES: Record<number, { title: string; text: string }> = {
  404: {
    title: "This offer is no longer available",
    text: "The link has expired, or it was not copied completely. Go back to the page that showed it.",
  },
  429: {
    title: "Too many requests",
    text: "Your network opened too many invalid links. Wait a few seconds, then reload the page.",
  },
  503: {
    title: "Temporarily unavailable",
    text: "We cannot open this offer right now. Reload the page in a few seconds.",
  },
};

/** People who follow an invalid link get a page instead of JSON; returns undefined to keep the result. */
export function clickFailurePage(request: Request, { status, headers }: HttpResult): HttpResult | undefined {
  const page = PAGES[status];
  if (!page || !new URL(request.url).pathname.startsWith("/api/v1/clicks/")) return undefined;
  if (!namesType(request.headers.get("accept"), "text/html")) return undefined;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${page.title}</title>
<body style="font:17px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem">
<h1 style="font-size:1.5rem">${page.title}</h1><p>${page.text}</p></body></html>`;
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const asPage = { ...headers, "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return { status, headers: asPage, body: html };
}
