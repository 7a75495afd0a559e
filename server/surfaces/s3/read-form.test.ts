import { describe, expect, it } from "vitest";
import { readForm } from "./read-form";

const TYPE = "multipart/form-data; boundary=b-1";
const part = (disposition: string, text: string) =>
  `--b-1\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`;
const FILE = part('name="file"; filename="C:\\\\tmp\\\\a %22b%22 ü.txt"', "one\r\n--b-\r\n two\r\n");

async function read(body: string, step = 1, type = TYPE) {
  const bytes = Buffer.from(body);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  };
  const form = await readForm(type, pieces());
  const chunks: Uint8Array[] = [];
  for await (const chunk of form.file) chunks.push(chunk);
  return { ...form, fields: Object.fromEntries(form.fields), file: Buffer.concat(chunks).toString() };
}

describe("a form", () => {
  const body = `${part('name="Key"', "a\r\nb ü")}${part("name=acl", "")}${FILE}${part('name="late"', "x")}--b-1--\r\n`;

  it.each([1, 7, 1000])("is read as it arrives, in pieces of %s bytes", async (step) => {
    expect(await read(body, step)).toEqual({
      fields: { key: "a\r\nb ü", acl: "" },
      fileName: 'C:\\tmp\\a "b" ü.txt',
      file: "one\r\n--b-\r\n two\r\n",
    });
  });

  it.each<[string, string, string?]>([
    ["without a file", `${part('name="key"', "a")}--b-1--\r\n`],
    ["without a boundary", body, "multipart/form-data"],
    ["of another boundary", body.replaceAll("b-1", "b-2")],
    ["that ends in a field", body.slice(0, 80)],
    ["that ends in the file", body.slice(0, body.indexOf("two"))],
    ["with a field twice", part('name="key"', "a") + part('name="KEY"', "b") + FILE],
    ["with a part without a name", part('title="key"', "a") + FILE],
    ["with fields that are too long", part('name="key"', "a".repeat(70_000)) + FILE],
  ])("%s is refused", async (_, text, type) => {
    await expect(read(text, 1000, type)).rejects.toMatchObject({ status: 400 });
  });
});
