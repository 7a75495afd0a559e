import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { navigated } from "../factories/browser";
import { isLongRun } from "../factories/sampled";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FOLLOWS_WITHIN_MS = 15_000;
/** For parts of a page that come one after the other, on a machine that has other work. */
const SHOWN_WITHIN_MS = 150_000;

/** The rules that axe applies to a look that differs from another one in part only; default: all. */
type AxeRules = Pick<RunOptions, "runOnly">;

interface Look {
  width: number;
  height: number;
  colorScheme: "light" | "dark";
  /** undefined: only the width of the page is looked at. */
  rules: AxeRules | undefined;
}

/** What only a narrow page can break, such as a list that scrolls and cannot be reached by keyboard. */
const OF_WIDTH = ["scrollable-region-focusable", "target-size", "button-name", "link-name", "label"];
const WIDE = { width: 1280, height: 900 };

/** The dark look is the light one in other colours, and the narrow look has the colours of the wide one. */
const LOOKS: readonly Look[] = [
  { ...WIDE, colorScheme: "light", rules: {} },
  { ...WIDE, colorScheme: "dark", rules: { runOnly: ["color-contrast"] } },
  { width: 360, height: 740, colorScheme: "light", rules: { runOnly: OF_WIDTH } },
];

const LOOKS_OF_STATES: readonly Look[] = [
  { ...WIDE, colorScheme: "light", rules: {} },
  { width: 360, height: 740, colorScheme: "light", rules: undefined },
];

/** What is wrong with a page in one of the looks. */
export interface Flaw {
  look: string;
  /** Rules of axe and where each is broken. */
  violations: string[];
  /** By how many pixels the page is wider than the window. */
  sideways: number;
}

/** What lies over a page, the topmost last. */
const OVERLAYS = "[role=dialog], [role=alertdialog], [role=menu]";

/**
 * Looks at a page as it stands, wide, dark and narrow: what axe finds, contrast included, and whether it has to be
 * scrolled sideways. It waits until a navigation under way has ended, and what loads, fades or moves, also for messages
 * that disappear by themselves. The page is wide and light afterwards.
 */
export const flawsOf = (page: Page): Promise<Flaw[]> => look(page, "page");

/**
 * Of what lies over the page only, or of its content if nothing does, light, and whether the page has to be scrolled
 * sideways when it is narrow: for states of a page that is looked at as a whole elsewhere. In a long run as `flawsOf`.
 */
export const flawsOfState = (page: Page): Promise<Flaw[]> => look(page, "state");

/** As `flawsOf`, with the messages that disappear by themselves. */
export const flawsWithMessages = (page: Page): Promise<Flaw[]> => look(page, "messages");

async function look(page: Page, what: "page" | "state" | "messages"): Promise<Flaw[]> {
  await waitUntilLoaded(page, what === "messages");
  const isPart = what === "state" && !isLongRun;
  const flaws: Flaw[] = [];
  for (const { width, height, colorScheme, rules } of isPart ? LOOKS_OF_STATES : LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.waitForFunction(inTheme, colorScheme);
    const sideways = await sidewaysOf(page);
    const violations = rules ? await violationsOf(page, rules, isPart ? OVERLAYS : undefined) : [];
    if (violations.length > 0 || sideways > 0) flaws.push({ look: `${width} ${colorScheme}`, violations, sideways });
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  return flaws;
}

/** Pages of svc mark their theme; a page of the reference does on its body. Others follow the browser. */
function inTheme(scheme: string): boolean {
  const { classList } = document.documentElement;
  return !("__next_f" in window) || classList.contains("dark") === (scheme === "dark");
}

/** Resolves when no navigation is under way and the page has its heading and content, without messages that fade. */
async function waitUntilLoaded(page: Page, withMessages: boolean): Promise<void> {
  await navigated(page);
  const temporary = withMessages ? "main .animate-pulse" : "main .animate-pulse, [data-sonner-toast]";
  const isShown = (selector: string) =>
    document.title !== "" && document.querySelector("h1") !== null && !document.querySelector(selector);
  // What is missing permanently is a finding of axe, not a failure to look.
  await page.waitForFunction(isShown, temporary, { timeout: SHOWN_WITHIN_MS }).catch(() => undefined);
}

/** By how many pixels the page stays wider than the window (WCAG 2.2, 1.4.10); a plot takes a moment to follow. */
export async function sidewaysOf(page: Page): Promise<number> {
  const isFitting = () => document.documentElement.scrollWidth <= innerWidth;
  await page.waitForFunction(isFitting, undefined, { timeout: FOLLOWS_WITHIN_MS }).catch(() => undefined);
  return Math.max(0, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
}

/**
 * Everything that axe holds against a page as it stands, frames included: the rule and where it was broken. With `overlays`,
 * against the last of these elements, or else against the page's content.
 */
async function violationsOf(page: Page, rules: AxeRules, overlays: string | undefined): Promise<string[]> {
  for (const frame of page.frames()) {
    // It is half a megabyte, and a page is looked at several times.
    if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(AXE);
  }
  // What fades in or out has another contrast than what stays.
  await page.evaluate(async () => {
    const running = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(running.map(({ finished }) => finished));
  });
  const { violations } = await page.evaluate(
    ([given, selector]): Promise<AxeResults> => {
      const { axe } = window as unknown as { axe: { run(context: Node, options: RunOptions): Promise<AxeResults> } };
      const overlay = selector ? [...document.querySelectorAll(selector)].at(-1) : undefined;
      const part = selector ? (overlay ?? document.querySelector("main")) : undefined;
      // A frame would be taken for a page without headings and landmarks.
      return axe.run(part ?? document, { resultTypes: ["violations"], ...(part && { iframes: false }), ...given });
    },
    [rules, overlays] as const,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
