import { expect, it } from "vitest";
import { foldersOf, keyProblem, nameBelow, previewOf } from "./object-keys";

it("lists the folders of a prefix, outermost first", () => {
  expect(foldersOf("")).toEqual([]);
  expect(foldersOf("a/b c/")).toEqual([
    { name: "a", prefix: "a/" },
    { name: "b c", prefix: "a/b c/" },
  ]);
  expect(foldersOf("/x/")).toEqual([
    { name: "/", prefix: "/" },
    { name: "x", prefix: "/x/" },
  ]);
});

it("names a key below its folder, and the marker of a folder by its whole key", () => {
  expect(nameBelow("a/b.txt", "a/")).toBe("b.txt");
  expect(nameBelow("a/", "a/")).toBe("a/");
});

it("refuses keys beyond 1,024 bytes of UTF-8", () => {
  expect(keyProblem("ü".repeat(512))).toBeUndefined();
  expect(keyProblem("ü".repeat(513))).toMatch(/1024 bytes/);
});

it.each([
  ["image/png", "image"],
  ["image/svg+xml", "image"],
  ["text/plain; charset=utf-8", "text"],
  ["application/json", "text"],
  ["application/ld+json", "text"],
  ["image/tiff", undefined],
  ["application/octet-stream", undefined],
])("previews %s as %s", (type, preview) => {
  expect(previewOf(type)).toBe(preview);
});
