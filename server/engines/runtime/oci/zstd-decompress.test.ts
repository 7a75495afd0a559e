import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { decompressed } from "./zstd-decompress";

/** Of the program `zstd -19`: 400 lines. */
const LINES = Buffer.from(
  "KLUv/QRoTRoA2mK0ChKwpZADjuCSQElLZMsKrIhDBgGmAKUApQBhRGhxCDknnenqSu28lo+Pw9IQMvzzDmyFY1AaN7PaezsHJ9S8" +
    "0WVV1URJ0qapfNWjUHfM67obSpvxbbjFDyEtCp8pwyxSV3bk8w5BaIee0dkqkT6H0p9aQkhfvd/OGCRvWsdLx4QK79dUYbIkU6u4" +
    "6E0oOv5OHTaWPErbO3wKadlHpTZLX6dzBgehHU7prFLnMj4WIf27HaVt6tch9N4JNAAYCBAIYZIzvMOvM1JnfiglfBQstpD2g9wh" +
    "7TtKpXXjqBnv0FEKRc+7uGo0VZLUya/4a8brCDUOh5ehHm9qaR6DtCH360uFrGXi0ygXc6BUrmLHO2MOl9ByoOL8O/KVlz6zTMn5" +
    "TLBIEDL441vc0uNFsmwo9fu6jqhQ9UJcjWoxDSXhRFbf5XkxoeYIeqt64mYu+WO81e8wfkfIsTx8HMqGeUG6V7sTPmcHCq3UHKZx" +
    "06bSLHMh78vcD22EMViaN5V6+rIOh1Dhldes4iZLkj711czF8RyECo76HakpG1daR4n2vIN+mJCzWB9pSvn8kTrrhA7DGewwCy0O" +
    "klPaeawN6ZyD5ezDWYKEVPD9e28940Zy2CjU4ld2iAglnvRSK4lJIQknsZJdmicSSnbIX72W2Wgkh3Ghte/ZtwgpltAPW07MEdK5" +
    "lp3vlDloQssBgomXqiOXg2xjEcrioMjbSu2QzVCkUcaYtCK5w7t/KuTU0tCP3fLSeVKp7epoZ9hz7EKsQqsO8zj36MTE6hDSHfMc" +
    "ZSU+bkweIWSEX8YdFq0WYygkn5sZ1hu+DVwEUyjTC+HlsnpwYlAScpqx2nhV3MIn1OeI2euw+t6GnmTZ+K5ld0tsH05IziLbZ7SS" +
    "2iyX9NHKUUeCzlsLtIQWObw6o+o4tAaBj6gRIBCLvB7Rl3QRJBz+MQFEIzkCpCJZApQiMYmIIjKJiEIyA6REcgKERnICJOL+iLqK" +
    "V+WoCpLQed8iTyM7z43o1j4fPe/aaNueRj7X6/r5Oe95V6dde73znaPhnHG/4vPyjy5/vBT3yTsxjzwQ86XLPl1edLlYr8mwiI2s" +
    "YmGJWWw7S9gyymU51rJox9YKYMBcAQFUFSZKjhg=",
  "base64",
);
const TEXT = Array.from({ length: 400 }, (_, i) => `line ${i * i}\n`).join("");
/** A frame for programs that know it, which others pass over. */
const SKIPPED = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

const read = (...parts: Buffer[]) => buffer(Readable.from(decompressed(Readable.from(parts))));

it("zstd is decompressed without Node's own code, whole and in parts, and several frames one after another", async () => {
  expect((await read(LINES)).toString()).toBe(TEXT);
  expect((await read(...Array.from(LINES, (byte) => Buffer.of(byte)))).toString()).toBe(TEXT);
  expect((await read(Buffer.concat([LINES, LINES]))).toString()).toBe(TEXT + TEXT);
  expect((await read(Buffer.concat([SKIPPED, LINES]))).toString()).toBe(TEXT);
});

it("what is no zstd, or is cut off, is an invalid image", async () => {
  const invalid = expect.objectContaining({ reason: "image_invalid" });
  await expect(read(Buffer.from("no zstd at all, but a text"))).rejects.toEqual(invalid);
  await expect(read(LINES.subarray(0, 100))).rejects.toEqual(invalid);
});
