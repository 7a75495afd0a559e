import { expect, it } from "vitest";
import { contentCodingOf } from "./content-coding";

it.each([
  [null, "identity"],
  [undefined, "identity"],
  ["", "identity"],
  [" , ", "identity"],
  ["identity", "identity"],
  ["Identity, IDENTITY", "identity"],
  ["gzip", "gzip"],
  ["GZip", "gzip"],
  ["x-gzip", "gzip"],
  ["X-GZIP", "gzip"],
  [" identity ,\tx-gzip,", "gzip"],
  ["gzip, gzip", undefined],
  ["deflate", undefined],
  ["gzip, br", undefined],
  ["zstd", undefined],
  ["toString", undefined],
  ["gzip;q=1", undefined],
])("Content-Encoding %j is %s", (header, coding) => {
  expect(contentCodingOf(header)).toBe(coding);
});
