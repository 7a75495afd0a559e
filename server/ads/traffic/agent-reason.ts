import { isbot } from "isbot";

/** Enough of any browser's name; what stands behind it is not looked at. */
const CHARACTERS_READ = 1024;
/** How every browser in use begins to name itself. */
const BROWSER = /^(Mozilla\/5\.0 \(|Opera\/9\.80 \()/;
/** Tools that look like browsers and that isbot lets pass: page tests, and editors whose agents read pages. */
const TOOL = /\b(GTmetrix|YLT|Miniature\.io|TSM-|turingos|Electron|QtWebEngine|PhantomJS|Fluid)\b/i;

/** What a User-Agent says against an event: nothing, that there is none, or that it is no browser a person looks through. Linear in its length. */
export function agentReason(userAgent: string): "" | "no_agent" | "bot" {
  const agent = userAgent.slice(0, CHARACTERS_READ).trim();
  if (agent === "") return "no_agent";
  return !BROWSER.test(agent) || TOOL.test(agent) || isbot(agent) ? "bot" : "";
}
