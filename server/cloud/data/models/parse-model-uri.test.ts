import { expect, it } from "vitest";
import { parseSourceModel, parseTargetUri } from "./parse-model-uri";

it("reads a file in a bucket, a file of a server and a folder", () => {
  expect(parseSourceModel("s3://models/a/b c.safetensors")).toEqual({
    kind: "bucket",
    bucket: "models",
    key: "a/b c.safetensors",
  });
  expect(parseSourceModel("https://HOST.example/m.safetensors?sig=1#x")).toEqual({
    kind: "https",
    url: "https://host.example/m.safetensors?sig=1",
  });
  expect(parseTargetUri("s3://models/out/")).toEqual({ bucket: "models", prefix: "out/" });
  expect(parseTargetUri("s3://models/out")).toEqual({ bucket: "models", prefix: "out/" });
  for (const root of ["s3://models", "s3://models/"])
    expect(parseTargetUri(root)).toEqual({ bucket: "models", prefix: "" });
});

it.each([
  ["models/a", "is not a valid URL"],
  ["http://host.example/m", 'begins with "http:"'],
  ["https://u:p@host.example/m", "contains a user name or password"],
  ["s3://models", "names a folder"],
  ["s3://models/a/", "names a folder"],
  ["s3://M/a", "the bucket's name is not one of 3 to 63"],
  ["s3:///a", "the bucket's name"],
  [`s3://models/${"é".repeat(513)}`, "at most 1024 bytes"],
  [`https://host.example/${"a".repeat(2048)}`, "more than 2048 characters"],
])("says what is wrong with the source %s", (text, message) => {
  expect(() => parseSourceModel(text)).toThrow(message);
  expect(() => parseSourceModel(text)).toThrow(
    expect.objectContaining({ code: "invalid_request", param: "source_model" }),
  );
});

it.each([
  ["https://host.example/m", 'does not begin with "s3://"'],
  ["s3://models/a\0/", "not a valid key"],
  [`s3://models/${"a".repeat(1000)}/`, "at most 984 bytes"],
])("says what is wrong with the target %s", (text, message) => {
  expect(() => parseTargetUri(text)).toThrow(message);
  expect(() => parseTargetUri(text)).toThrow(expect.objectContaining({ code: "invalid_request", param: "target_uri" }));
});
