import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const rootDir = path.resolve(import.meta.dirname, "../..");
const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "widget/README.md", "sdk/README.md"];
const README_BYTES_MAX = 9 * 1024;
const PICTURE_BYTES_MAX = 150_000;

const read = (file: string): string => readFileSync(path.join(rootDir, file), "utf8");
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: rootDir, encoding: "utf8" });
const files = listed.split("\n").filter((file) => file !== "" && existsSync(path.join(rootDir, file)));
const sources = files.filter((file) => /^server\/.*\.ts$/.test(file) && !/\.test\.ts$|\/generated\//.test(file));
const texts = new Map(sources.map((file) => [file, read(file)]));
const architecture = read("docs/architecture.md");

/** The rows of the table that follows a heading, as the texts of their first `count` cells. */
function rowsAfter(head: string, count: number): string[][] {
  const [, table = ""] = architecture.split(`${head}\n`);
  const [body = ""] = table.split("\n\n");
  return body
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, count + 1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

/** The text of a constant: of the same file, or of the one that exports it. */
function textOf(name: string, file: string): string {
  const declared = new RegExp(`const ${name}(?:: string)? = ["\`]([^"\`$]+)`);
  const own = declared.exec(texts.get(file) ?? "")?.[1];
  const exported = [...texts.values()].map((text) => new RegExp(`export ${declared.source}`).exec(text)?.[1]);
  return own ?? exported.find((text) => text !== undefined) ?? `${name} of ${file}`;
}

describe("the README", () => {
  it("fits on two screens", () => {
    expect(statSync(path.join(rootDir, "README.md")).size).toBeLessThanOrEqual(README_BYTES_MAX);
  });

  it("shows a picture that is in the repository and small", () => {
    const [, file = ""] = /!\[[^\]]{20,}\]\(([^)]+)\)/.exec(read("README.md")) ?? [];
    expect(statSync(path.join(rootDir, file)).size).toBeLessThan(PICTURE_BYTES_MAX);
  });
});

it.each(DOCUMENTS)("%s links only to files and headings that exist", (document) => {
  const links = [...read(document).matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = "", heading] = link.split("#");
    const target = file === "" ? document : path.join(path.dirname(document), file);
    if (!existsSync(path.join(rootDir, target))) return true;
    const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-"),
    );
    return heading !== undefined && !headings.includes(heading);
  });
  expect(broken).toEqual([]);
});

describe("docs/architecture.md", () => {
  it("lists every round of background work by its topic, and no other", () => {
    // A round states its topic beside its purpose.
    const round = /\btopic(?:: (?:"([^"]+)"|([A-Z_]+)))?,(?=[\s\S]{0,120}\bpurpose\b)/g;
    const topics = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(round)].map(([, literal, name]) => literal ?? textOf(name ?? "topic", file)),
    );
    const rows = rowsAfter("| topic | what it does | next run, if nothing wakes it |", 1);
    const documented = rows.map(([topic = ""]) => topic.replace(/<.*/, ""));
    expect(documented.sort()).toEqual([...new Set(topics)].sort());
  });

  it("lists every timed job with its schedule, and no other", () => {
    const job = /["`]((?:[\d*/,-]+ ){5})\$\{([A-Z_]+)\}/g;
    const jobs = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(job)].map(([, schedule = "", name = ""]) => [schedule.trim(), textOf(name, file)]),
    );
    expect(rowsAfter("| crontab | task |", 2).sort()).toEqual(jobs.sort());
  });

  it("names only source files that exist", () => {
    const existing = new Set(files.map((file) => path.basename(file)));
    const named = [...architecture.matchAll(/`([\w.-]+\.(?:ts|mjs|pl))`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !existing.has(name))).toEqual([]);
  });
});

it("CONTRIBUTING.md lists every bench, and no other", () => {
  const [, table = ""] = read("test/bench/bench.ts").split("const BENCHES");
  const [body = ""] = table.split("\n};");
  const benches = [...body.matchAll(/^ {2}"?([a-z-]+)"?: /gm)].map(([, name = ""]) => name);
  const [, section = ""] = read("CONTRIBUTING.md").split("## Benches");
  const lines = section.split("\n").map((line) => (line.startsWith("|") ? line.split("|")[1] : line));
  // What follows the table is about some of them.
  const named = lines
    .slice(
      0,
      lines.findIndex((line) => line?.startsWith("`relevance`")),
    )
    .join("\n");
  const documented = [...named.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name);
  expect(new Set(documented)).toEqual(new Set(benches));
});
