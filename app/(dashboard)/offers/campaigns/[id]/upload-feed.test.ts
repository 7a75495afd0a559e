import { describe, expect, it } from "vitest";
import { fileIn, parseFeedError, parseUploadResponse, rejectedRows } from "./upload-feed";

describe("the answer to an uploaded feed", () => {
  it("holds what became of the lines", () => {
    const result = { accepted: 2, rejected: 1, errors: [{ line: 3, code: "no_title", message: "Name a title." }] };
    expect(parseUploadResponse(JSON.stringify({ result: { data: result } })).result).toEqual(result);
  });

  it("holds the server's own sentence when the feed was refused", () => {
    const text = JSON.stringify({ error: { message: "The feed breaks off." } });
    expect(parseUploadResponse(text).message).toBe("The feed breaks off.");
  });

  it("names the line at which the feed could not be read on", () => {
    const failure = { details: { line: 7 } };
    const text = JSON.stringify({ error: { message: "A quoted value never ends.", data: { failure } } });
    expect(parseUploadResponse(text).message).toBe("Line 7: A quoted value never ends.");
  });

  it("keeps the lines that were rejected before the feed broke, and adds the one at which it broke", () => {
    const before = { line: 2, id: "1", code: "missing_field", message: "link: expected a value" };
    const failure = { details: { reason: "broken_csv", line: 7, accepted: 4, rejected: 1, errors: [before] } };
    const message = "A quoted value never ends.";
    expect(parseUploadResponse(JSON.stringify({ error: { message, data: { failure } } })).result).toMatchObject({
      accepted: 4,
      rejected: 1,
      errors: [before, { line: 7, code: "broken_csv", message }],
    });
  });

  it("asks to try again when something else answered", () => {
    expect(parseUploadResponse("<html>502</html>").message).toBe(
      "Unexpected response from the server. Upload the file again.",
    );
  });
});

describe("the file that is to be sent", () => {
  const fieldsWith = (file: File) => {
    const fields = new FormData();
    fields.set("feed", file);
    return fields;
  };

  it("is the chosen one", () => {
    const file = new File(["id,title,link"], "feed.csv");
    expect(fileIn(fieldsWith(file)).name).toBe("feed.csv");
  });

  it("is refused at its field when there is none, or nothing in it", () => {
    const at = (message: string) => expect.objectContaining({ param: "feed", message });
    expect(() => fileIn(new FormData())).toThrow(at("Choose a file."));
    // What a form holds of a file field that was left alone.
    expect(() => fileIn(fieldsWith(new File([], "")))).toThrow(at("Choose a file."));
    expect(() => fileIn(fieldsWith(new File([], "feed.csv")))).toThrow(at("This file is empty."));
  });
});

describe("what is wrong with a line", () => {
  it.each([
    ["link: expected an absolute http or https URL", "link", "Expected an absolute http or https URL."],
    ["expected 5 values as in the header, found 3", undefined, "Expected 5 values as in the header, found 3."],
  ])("of %j is at %s", (message, field, problem) => expect(parseFeedError(message)).toEqual({ field, problem }));
});

it("rejected lines are saved with line, id, field and error", () => {
  const errors = [
    { line: 2, id: "sku-1", code: "missing_field", message: "link: expected a value" },
    { line: 3, code: "invalid_json", message: "expected one JSON object on this line" },
  ];
  expect(rejectedRows(errors)).toEqual([
    ["line", "id", "field", "error"],
    [2, "sku-1", "link", "Expected a value."],
    [3, "", "", "Expected one JSON object on this line."],
  ]);
});
