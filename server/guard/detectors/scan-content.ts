import { createHmac } from "node:crypto";
import { ContentScanner, type FoundValue } from "./content-scanner";
import { type DecodedContent, decodedContent, type Encoding, TooLarge } from "./decoded-content";
import { isTestFile, TEST_FILE } from "./malware";
import { masked } from "./masked";
import type { Confidence } from "./rule";

/** Different values of one rule that are kept of one object; further ones are only counted. */
export const VALUES_MAX = 20;

/** A value in an object, without the value. */
export interface ContentFinding {
  rule: string;
  /** A keyed hash of the value, so that it is recognized again; 32 hexadecimal digits. */
  valueHash: string;
  evidence: string;
  confidence: Confidence;
  /** Where it is first, in bytes of the decoded content. */
  offset: number;
  /** How often this value is in the object. */
  occurrences: number;
}

export interface ContentReport {
  findings: readonly ContentFinding[];
  /** Matches of each rule, those included that are not kept. */
  matches: Readonly<Record<string, number>>;
  encoding: Encoding;
  /** `binary`: only looked at for malware; `partly`: compressed content that is damaged or longer than 4 GiB. */
  coverage: "whole" | "binary" | "partly";
}

/** Searches the content of one object. `key` is the root of the hashes. Errors of `source` are thrown. */
export async function scanContent(source: AsyncIterable<Uint8Array>, key: Uint8Array): Promise<ContentReport> {
  const tally = new Tally(key);
  const content = await decodedContent(source).catch((cause: unknown) => {
    if (!isDamaged(cause)) throw cause;
    return undefined;
  });
  if (!content) return { findings: [], matches: {}, encoding: "gzip", coverage: "partly" };
  const { encoding, isBinary, beginning } = content;
  if (isTestFile(beginning)) {
    tally.add({ rule: TEST_FILE.id, offset: 0, value: beginning.toString("latin1").trim(), confidence: "high" });
  }
  const coverage = isBinary ? "binary" : await searchText(content, tally);
  return { findings: tally.findings(), matches: Object.fromEntries(tally.matches), encoding, coverage };
}

async function searchText({ chunks, encoding }: DecodedContent, tally: Tally): Promise<"whole" | "partly"> {
  const scanner = new ContentScanner((value) => tally.add(value));
  try {
    for await (const chunk of chunks) scanner.add(chunk);
  } catch (cause) {
    if (!(cause instanceof TooLarge) && (encoding !== "gzip" || !isDamaged(cause))) throw cause;
    scanner.end();
    return "partly";
  }
  scanner.end();
  return "whole";
}

/** Errors of zlib have codes such as Z_DATA_ERROR. */
const isDamaged = (cause: unknown): boolean => String((cause as { code?: unknown } | null)?.code).startsWith("Z_");

/** Collects the values of one object in bounded memory. */
class Tally {
  readonly matches = new Map<string, number>();
  readonly #kept = new Map<string, Map<string, ContentFinding>>();
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  add({ rule, offset, value, confidence }: FoundValue): void {
    const count = (this.matches.get(rule) ?? 0) + 1;
    this.matches.set(rule, count);
    const kept = this.#kept.get(rule) ?? new Map<string, ContentFinding>();
    this.#kept.set(rule, kept);
    // A list of a million addresses would otherwise be hashed as a whole.
    if (kept.size >= VALUES_MAX && count > 1000) return;
    const valueHash = createHmac("sha256", this.#key).update(`${rule}\0${value}`).digest("hex").slice(0, 32);
    const known = kept.get(valueHash);
    if (known) known.occurrences++;
    else if (kept.size < VALUES_MAX) {
      kept.set(valueHash, { rule, valueHash, evidence: masked(value), confidence, offset, occurrences: 1 });
    }
  }

  findings(): ContentFinding[] {
    return [...this.#kept.values()].flatMap((values) => [...values.values()]);
  }
}
