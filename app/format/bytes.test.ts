import { expect, it } from "vitest";
import { formatBytes } from "./bytes";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 KB"],
  [1536, "1.54 KB"],
  [999_999, "1 MB"],
  [12_345_678_901, "12.3 GB"],
  [5e15, "5 PB"],
  [5e18, "5,000 PB"],
])("writes %i bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
