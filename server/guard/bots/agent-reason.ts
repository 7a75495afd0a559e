import { isbot } from "isbot";

/** Long enough for any browser's User-Agent; the rest is ignored. */
const CHARACTERS_READ = 1024;
/** The prefix of the User-Agent of every current browser. */
const BROWSER = /^(Mozilla\/5\.0 \(|Opera\/9\.80 \()/;
/** Tools that resemble browsers and that isbot does not detect: page tests, and editors whose agents read pages. */
const TOOL = /\b(GTmetrix|YLT|Miniature\.io|TSM-|turingos|Electron|QtWebEngine|PhantomJS|Fluid)\b/i;

/**
 * Why a User-Agent invalidates an event: it is missing, or it is not a browser that a person uses; empty if it is
 * valid. Runs in linear time.
 */
export function agentReason(userAgent: string): "" | "no_agent" | "bot" {
  const agent = userAgent.slice(0, CHARACTERS_READ).trim();
  if (agent === "") return "no_agent";
  return !BROWSER.test(agent) || TOOL.test(agent) || isbot(agent) ? "bot" : "";
}
