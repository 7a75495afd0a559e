import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { BROWSER } from "./calls";

const VERSION_TIMEOUT_MS = 60_000;
const LAUNCH_TIMEOUT_MS = 120_000;
/** Until a page has loaded, and then until it responds, on a machine that has other work. */
const LOADED_WITHIN_MS = 150_000;
/** A browser without windows. A new page costs it a quarter, but it keeps none in a back-forward cache. */
const SHELL_PATHS = ["/usr/bin/chromium-headless-shell"];
const SYSTEM_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
// The npm package's own defaults are left out: they include --disable-web-security and --single-process.
/** Headers of what Next loads before anybody navigates. */
const PREFETCH = ["next-router-prefetch", "next-router-segment-prefetch"];
/** Headless Chromium identifies itself in its user agent, and would count as a bot. */
const AS_A_PERSON = `--user-agent=${BROWSER}`;
const NPM_ARGS = ["--headless=shell", "--no-sandbox", "--no-zygote", "--disable-gpu"];

/** A browser that is known to start: its executable and arguments. */
export interface FoundBrowser {
  from: "CHROMIUM_PATH" | "system" | "playwright" | "@sparticuz/chromium";
  file: string;
  args: string[];
  env: Record<string, string>;
}

export interface WantedBrowser {
  /** In a back-forward cache. */
  keepsPages?: boolean;
}

/**
 * Starts a headless Chromium; the caller closes it. One without windows is preferred, unless pages are to be kept in a
 * back-forward cache as in people's browsers.
 * Looks at CHROMIUM_PATH, the system's browsers, Playwright's own and the one that npm installed (Linux x64), in this
 * order; `ONLY_NPM=1` leaves all but the last out.
 * @throws Error naming what was tried when no browser starts.
 */
export async function launchBrowser(wanted: WantedBrowser = {}): Promise<Browser> {
  const { file, args, env } = await findBrowser(wanted);
  return chromium.launch({
    executablePath: file,
    args: [...args, AS_A_PERSON],
    env: { ...ownEnv(), ...env },
    timeout: LAUNCH_TIMEOUT_MS,
    // Playwright turns the back-forward cache off by default; pages must work with it.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
}

const shared = new Map<boolean, Promise<Browser>>();

/**
 * The browser of this process for all its test files, which have contexts of their own in it; it ends with the process.
 * @throws as `launchBrowser`.
 */
export async function sharedBrowser(wanted: WantedBrowser = {}): Promise<Browser> {
  const kind = wanted.keepsPages === true;
  const running = await shared.get(kind)?.catch(() => undefined);
  if (running?.isConnected()) return running;
  const launched = launchBrowser(wanted);
  shared.set(kind, launched);
  return launched;
}

/**
 * A tab whose navigations end only when React has hydrated the page. A page that has loaded may not: until then keys
 * that a script listens for are lost, a controlled field forgets what was typed, and Next replaces the history entry,
 * which can abort the next navigation.
 */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultNavigationTimeout(LOADED_WITHIN_MS);
  page.setDefaultTimeout(LOADED_WITHIN_MS);
  followNavigations(page);
  const [goto, reload, waitForURL] = [page.goto.bind(page), page.reload.bind(page), page.waitForURL.bind(page)];
  return Object.assign(page, {
    goto: async (...given: Parameters<Page["goto"]>) => await hydrated(page, await goto(...given)),
    reload: async (...given: Parameters<Page["reload"]>) => await hydrated(page, await reload(...given)),
    waitForURL: async (...given: Parameters<Page["waitForURL"]>) => await hydrated(page, await waitForURL(...given)),
  });
}

/** Requests of navigations within the dashboard, which load no new document, that a page waits for. */
const underWay = new WeakMap<Page, Set<Request>>();

function followNavigations(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => {
    const headers = request.headers();
    if (headers.rsc === "1" && !PREFETCH.some((name) => name in headers)) requests.add(request);
  });
  const forget = (request: Request) => void requests.delete(request);
  page.on("requestfinished", forget);
  page.on("requestfailed", forget);
}

/**
 * Resolves when no navigation of a tab is under way: Next replaces the page and its title one after the other when the
 * response of the last one has arrived.
 */
export async function navigated(page: Page): Promise<void> {
  const requests = underWay.get(page);
  do {
    for (const request of requests ?? []) await request.response().then((response) => response?.finished());
    await hydrated(page, undefined);
  } while (requests && requests.size > 0);
}

/** Resolves with `value` when React has no part of the page left to hydrate and has run its effects. */
async function hydrated<T>(page: Page, value: T): Promise<T> {
  await page.waitForFunction(isHydrated, undefined, { timeout: LOADED_WITHIN_MS });
  return value;
}

interface Fiber {
  memoizedState?: { isDehydrated?: boolean; dehydrated?: unknown } | null;
  child: Fiber | null;
  sibling: Fiber | null;
}

/** Runs in the page. React tells nobody, so its root is read: it and each boundary in it say whether they are dehydrated. */
function isHydrated(): boolean | Promise<boolean> {
  // Other than Next's pages: publishers' sites, and files.
  if (!("__next_f" in window)) return true;
  const key = Object.keys(document).find((name) => name.startsWith("__reactContainer$"));
  if (key === undefined) return false;
  const container = (document as unknown as Record<string, { stateNode: { current: Fiber } }>)[key];
  const waiting = [container?.stateNode.current];
  for (const fiber of waiting) {
    if (fiber?.memoizedState?.isDehydrated || fiber?.memoizedState?.dehydrated) return false;
    if (fiber?.child) waiting.push(fiber.child);
    if (fiber?.sibling) waiting.push(fiber.sibling);
  }
  // Effects run in a task after the commit; the browser is idle when no task is left.
  return new Promise((resolve) => requestIdleCallback(() => resolve(true), { timeout: 5_000 }));
}

/** The first browser that prints its version for `--version`. @throws as `launchBrowser`. */
export async function findBrowser(wanted: WantedBrowser = {}): Promise<FoundBrowser> {
  const tried: string[] = [];
  if (process.env.ONLY_NPM !== "1") {
    for (const candidate of installed(wanted)) {
      if (starts(candidate.file))
        return { ...candidate, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [], env: {} };
      tried.push(`${candidate.file} (${candidate.from})`);
    }
  }
  if (process.platform === "linux" && process.arch === "x64") return npmBrowser();
  throw new Error(
    `No Chromium for the browser tests. Tried: ${tried.join(", ") || "nothing"}; the npm one is for Linux x64 only. ` +
      "Install Chrome or Chromium, run `npx playwright-core install chromium`, or set CHROMIUM_PATH to a Chromium binary.",
  );
}

function installed({ keepsPages = false }: WantedBrowser): Pick<FoundBrowser, "from" | "file">[] {
  const named = process.env.CHROMIUM_PATH;
  return [
    ...(named ? [{ from: "CHROMIUM_PATH" as const, file: named }] : []),
    ...[...(keepsPages ? [] : SHELL_PATHS), ...SYSTEM_PATHS].map((file) => ({ from: "system" as const, file })),
    { from: "playwright" as const, file: chromium.executablePath() },
  ];
}

function starts(file: string, env: Record<string, string> = {}): boolean {
  if (!fs.existsSync(file)) return false;
  const run = spawnSync(file, ["--version"], { env: { ...process.env, ...env }, timeout: VERSION_TIMEOUT_MS });
  return run.status === 0;
}

async function npmBrowser(): Promise<FoundBrowser> {
  const dir = await unpackNpmBrowser();
  const file = path.join(dir, "chromium");
  const fonts: Record<string, string> = fs.existsSync("/etc/fonts/fonts.conf")
    ? {}
    : { FONTCONFIG_PATH: path.join(dir, "fonts") };
  // Its own NSS, NSPR and expat only if the system has none: the system's are newer.
  for (const env of [fonts, { ...fonts, LD_LIBRARY_PATH: path.join(dir, "lib") }]) {
    if (starts(file, env)) return { from: "@sparticuz/chromium", file, args: NPM_ARGS, env };
  }
  const { stderr } = spawnSync(file, ["--version"], { timeout: VERSION_TIMEOUT_MS });
  throw new Error(`The Chromium from npm does not start (${file}): ${String(stderr).slice(0, 500)}`);
}

/**
 * Unpacks once per version into `.build/`. The files are written to a temporary folder that is renamed when complete,
 * so test files that start together never see an incomplete browser; the later one discards its copy.
 */
async function unpackNpmBrowser(): Promise<string> {
  const require = createRequire(import.meta.url);
  const home = path.resolve(path.dirname(require.resolve("@sparticuz/chromium")), "../..");
  const { version } = JSON.parse(fs.readFileSync(path.join(home, "package.json"), "utf8")) as { version: string };
  const target = path.resolve(import.meta.dirname, `../../.build/chromium-${version}`);
  if (fs.existsSync(target)) return target;

  fs.mkdirSync(path.dirname(target), { recursive: true });
  const staging = fs.mkdtempSync(`${target}.`);
  try {
    const program = await inflate(path.join(home, "bin/chromium.br"));
    fs.writeFileSync(path.join(staging, "chromium"), program, { mode: 0o755 });
    for (const archive of ["al2023.tar.br", "fonts.tar.br"]) {
      untar(await inflate(path.join(home, "bin", archive)), { name: archive, into: staging });
    }
    takePlace(staging, target);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
  return target;
}

const brotliDecompress = promisify(zlib.brotliDecompress);

const inflate = async (file: string): Promise<Buffer> => brotliDecompress(await fs.promises.readFile(file));

function untar(archive: Buffer, { name, into }: { name: string; into: string }): void {
  // bsdtar and GNU tar both read an archive from standard input with `-f -`; files are owned by the current user.
  const run = spawnSync("tar", ["-x", "-o", "-f", "-", "-C", into], { input: archive });
  if (run.error) throw new Error(`tar could not be run to unpack ${name}: ${run.error.message}`);
  if (run.status !== 0) throw new Error(`tar failed to unpack ${name} (status ${run.status}): ${String(run.stderr)}`);
}

function takePlace(staging: string, target: string): void {
  try {
    fs.renameSync(staging, target);
  } catch (error) {
    if (!fs.existsSync(target)) throw error;
  }
}

function ownEnv(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(entries), HOME: process.env.HOME ?? os.tmpdir() };
}
