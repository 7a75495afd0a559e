import { describe, expect, it } from "vitest";
import { childrenOf, readXml, textIn } from "./read-xml";
import { tag, xmlDocument } from "./write-xml";

describe("XML of a client", () => {
  it("is read with or without a namespace, prefix and CDATA", () => {
    for (const xml of [
      '<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>a &amp; b</Key></Object></Delete>',
      '<s3:Delete xmlns:s3="urn:x"><s3:Object><s3:Key><![CDATA[a & b]]></s3:Key></s3:Object></s3:Delete>',
    ]) {
      const [object] = childrenOf(readXml(Buffer.from(xml), "Delete"), "Object");
      expect(object && textIn(object, "Key")).toBe("a & b");
    }
  });

  it.each([
    ["is not closed", "<Delete><Object></Delete>"],
    ["has another root", "<Remove/>"],
    ["is empty", ""],
    ["has a document type", "<!DOCTYPE Delete><Delete/>"],
    ["has an entity", '<!DOCTYPE d [<!ENTITY a "b">]><Delete>&a;</Delete>'],
    ["has an unknown entity", "<Delete>&xxe;</Delete>"],
    ["is too deep", `<Delete>${"<a>".repeat(50)}${"</a>".repeat(50)}</Delete>`],
    ["has two roots", "<Delete/><Delete/>"],
  ])("that %s is MalformedXML", (_, xml) => {
    expect(() => readXml(Buffer.from(xml), "Delete")).toThrow(expect.objectContaining({ code: "MalformedXML" }));
  });

  it("that is not UTF-8 is MalformedXML", () => {
    const bytes = Buffer.concat([Buffer.from("<Delete>"), Buffer.from([0xff]), Buffer.from("</Delete>")]);
    expect(() => readXml(bytes, "Delete")).toThrow(
      expect.objectContaining({ code: "MalformedXML", message: expect.stringContaining("offset 8") }),
    );
  });
});

it("text of clients is escaped in XML, and line ends survive a parser", () => {
  const text = `<script>"&\r\n'`;
  const xml = xmlDocument("Delete", tag("Key", text));
  expect(xml).not.toContain("<script>");
  const read = readXml(Buffer.from(xml), "Delete").children[0]?.text;
  expect(read).toBe(text);
});
