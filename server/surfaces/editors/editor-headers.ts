import { endToEnd } from "../../kernel/end-to-end-headers";
import type { PassedHeaders } from "../ports/passed-headers";
import { type Forwarding, headersForPod, locationOf } from "../ports/port-headers";
import type { EditorGrants } from "./editor-grants";

/** What browsers apply to more than the origin of the workspace, and what svc sets itself. */
const DROPPED = [
  "alt-svc",
  "strict-transport-security",
  "public-key-pins",
  "public-key-pins-report-only",
  "expect-ct",
  "nel",
  "report-to",
  "reporting-endpoints",
  "set-login",
  "www-authenticate",
];
const DOMAIN = /;\s*domain\s*=/i;

/** The editor has the origin to itself: its cookies and its policies stay, but not those for other workspaces. */
export const editorHeaders = (
  forwarding: Forwarding,
  grants: Pick<EditorGrants, "isOwn" | "withoutOwn">,
): PassedHeaders => ({
  forServer: (incoming) => {
    const cookies = grants.withoutOwn(incoming.headers.cookie);
    return [...headersForPod(incoming, forwarding), ...(cookies === undefined ? [] : ["Cookie", cookies])];
  },
  fromServer: ({ rawHeaders }) => {
    const passed = endToEnd(rawHeaders, DROPPED);
    const pairs = Array.from({ length: passed.length / 2 }, (_, index): [string, string] => {
      const [name = "", value = ""] = passed.slice(2 * index, 2 * index + 2);
      return [name, name.toLowerCase() === "location" ? locationOf(value, forwarding) : value];
    });
    const isKept = ([name, value]: [string, string]) =>
      name.toLowerCase() !== "set-cookie" || !(grants.isOwn(value) || DOMAIN.test(value));
    return [...pairs.filter(isKept), ["Content-Security-Policy", "frame-ancestors 'self'"]];
  },
});
