import { describe, expect, it } from "vitest";
import { readProduct } from "./feed-product";
import { plainText, plainUrl } from "./plain-text";

describe("a text", () => {
  it.each([
    ["Boot", "Boot"],
    ["Tom & Jerry", "Tom & Jerry"],
    ["Tom &amp; Jerry", "Tom & Jerry"],
    ["Tom &amp;amp; Jerry", "Tom & Jerry"],
    ["17&quot; &#8211; caf&eacute; &#x20AC;5 &Uuml;ber&nbsp;", '17" – café €5 Über\u00a0'],
    ["<![CDATA[Tom & Jerry]]>", "Tom & Jerry"],
    ["&lt;![CDATA[Tom &amp; Jerry]]&gt;", "Tom & Jerry"],
    ["<![CDATA[<![CDATA[Boot]]>]]>", "Boot"],
    ["<p>Warm.</p><p>Dry &amp; <b>li</b>ght<br/>and small.</p>", "Warm. Dry & light and small."],
    ["&lt;ul&gt;&lt;li&gt;Warm&lt;/li&gt;&lt;/ul&gt;", "Warm"],
    ['<span style="color: red">Red</span>', "Red"],
    // What is not evidently markup stays.
    ["R&D; AT&T &unknown; &#0; &#xD800; &#x110000;", "R&D; AT&T &unknown; &#0; &#xD800; &#x110000;"],
    ["a < b > c, <5 kg, <brand>, size <b", "a < b > c, <5 kg, <brand>, size <b"],
    ["&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"],
  ])("%j reads %j", (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it("is read in every field that people see, and ids are kept as they are", () => {
    const escaped = "A &amp;amp; B";
    const product = readProduct({
      id: "A&amp;B",
      item_group_id: "C&amp;D",
      title: `<![CDATA[${escaped}]]>`,
      description: escaped,
      brand: escaped,
      product_type: `${escaped} &amp;gt; C`,
      google_product_category: escaped,
      product_detail: [{ name: escaped, value: escaped }],
      link: "https://shop.example/1?a=1&amp;b=2",
      image_link: "<![CDATA[https://shop.example/1.jpg?a=1&amp;b=2]]>",
    });
    expect(product).toMatchObject({
      externalId: "A&amp;B",
      itemGroupId: "C&amp;D",
      title: "A & B",
      description: "A & B",
      brand: "A & B",
      category: "A & B>C",
      googleProductCategory: "A & B",
      details: [{ name: "A & B", value: "A & B" }],
      link: "https://shop.example/1?a=1&b=2",
      imageLink: "https://shop.example/1.jpg?a=1&b=2",
    });
  });
});

it("a URL keeps what only looks like an entity", () => {
  expect(plainUrl("https://shop.example/?a=1&copy=2&lt=3&amp;b=%26amp;")).toBe(
    "https://shop.example/?a=1&copy=2&lt=3&b=%26amp;",
  );
});
