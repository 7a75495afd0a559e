import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { isWithin, parseRanges, watchDataCenters } from "./data-center-ranges";

const FILE = `# A cloud
192.0.2.0/24   # documentation
192.0.2.128/25
203.0.113.7

2001:db8::/32
`;
const log = pino({ level: "silent" });
const folder = fileFolder("svc-ranges-");
const fileWith = (text: string): string => {
  const file = path.join(mkdtempSync(path.join(folder, "f-")), "ranges.txt");
  writeFileSync(file, text);
  return file;
};

describe("data center ranges", () => {
  test.each([
    ["192.0.2.0", true],
    ["192.0.2.255", true],
    ["192.0.1.255", false],
    ["192.0.3.0", false],
    ["203.0.113.7", true],
    ["203.0.113.8", false],
    ["::ffff:192.0.2.1", true],
    ["2001:db8:ffff::1", true],
    ["2001:db9::", false],
    ["", false],
    ["no address", false],
  ])("%s lies within: %s", (address, expected) => {
    expect(isWithin(parseRanges(FILE), address)).toBe(expected);
  });

  test("agrees with a brute-force search for every address", () => {
    const ranges = parseRanges("10.0.0.4/30\n10.0.0.16/28\n10.0.0.18/31");
    for (let i = 0; i < 64; i++) {
      const expected = (i >= 4 && i < 8) || (i >= 16 && i < 32);
      expect(isWithin(ranges, `10.0.0.${i}`), `10.0.0.${i}`).toBe(expected);
    }
  });

  test("names the file and the line that is wrong", () => {
    const file = fileWith("10.0.0.0/8\nhello\n");
    expect(() => watchDataCenters(file, log)).toThrow(
      `SVC_DATA_CENTER_RANGES: ${file}: line 2: "hello" is neither a network`,
    );
    expect(() => watchDataCenters("/nowhere/ranges", log)).toThrow("SVC_DATA_CENTER_RANGES: /nowhere/ranges");
    for (const line of ["10.0.0.0/33", "300.0.0.0/8", "::/129", "10.0.0.0/-1"]) {
      expect(() => parseRanges(line), line).toThrow("line 1");
    }
  });

  test("without a file no address is in a data center", () => {
    expect(watchDataCenters(undefined, log).has("192.0.2.1")).toBe(false);
  });
});
