import { describe, expect, it } from "vitest";
import { readProduct } from "./feed-product";

const required = { id: "1", title: "Boot", link: "https://shop.example/1" };
const read = (fields: object) => readProduct({ ...required, ...fields });

it("requires only id, title and link", () => {
  expect(read({})).toEqual({
    externalId: "1",
    title: "Boot",
    link: "https://shop.example/1",
    description: "",
    imageLink: null,
    brand: null,
    gtin: null,
    itemGroupId: null,
    category: null,
    googleProductCategory: null,
    availability: "in_stock",
    currency: null,
    price: null,
    originalPrice: null,
    saleStartsAt: null,
    saleEndsAt: null,
    rating: null,
    details: [],
    warnings: [],
  });
});

it.each([
  [{ id: "" }, "missing_field", "id"],
  [{ title: "  " }, "missing_field", "title"],
  [{ link: undefined }, "missing_field", "link"],
  [{ id: "x".repeat(201) }, "field_too_long", "id"],
  [{ title: "x".repeat(501) }, "field_too_long", "title"],
  [{ title: ["a"] }, "invalid_field", "title"],
  [{ title: "a\0b" }, "invalid_field", "title"],
  [{ title: "Caf\uFFFD" }, "invalid_field", "title"],
  [{ description: "\ud800" }, "invalid_field", "description"],
  [{ link: "javascript:alert(1)" }, "invalid_field", "link"],
  [{ link: "shop.example/1" }, "invalid_field", "link"],
  [{ image_link: "ftp://cdn.example/1.png" }, "invalid_field", "image_link"],
  [{ price: "49.95" }, "invalid_field", "price"],
  [{ price: "1,299 KWD" }, "ambiguous_price", "price"],
  [{ price: "1.299 EUR" }, "ambiguous_price", "price"],
  [{ price: "5000 USD", sale_price: "1.299 USD" }, "ambiguous_price", "sale_price"],
  [{ price: "10 USD", sale_price: "5 EUR" }, "invalid_field", "sale_price"],
  [{ availability: "perhaps" }, "invalid_field", "availability"],
  [{ availability: "constructor" }, "invalid_field", "availability"],
  [{ item_group_id: "g".repeat(51) }, "field_too_long", "item_group_id"],
  [{ item_group_id: ["a"] }, "invalid_field", "item_group_id"],
  [{ gtin: "4".repeat(51) }, "field_too_long", "gtin"],
  [{ google_product_category: "x".repeat(751) }, "field_too_long", "google_product_category"],
  [{ rating: { value: 6 } }, "invalid_field", "rating"],
  [{ rating: "4.5" }, "invalid_field", "rating"],
])("rejects %j as %s and reports %s", (fields, code, field) => {
  expect(read(fields)).toEqual({ code, message: expect.stringMatching(`^${field}: expected `) });
});

it("converts a numeric id to text", () => {
  expect(read({ id: 42 })).toMatchObject({ externalId: "42" });
});

describe("price", () => {
  it("is the sale price while it is lower, and keeps the original price", () => {
    expect(read({ price: "60 USD", sale_price: "49.95 USD" })).toMatchObject({ price: "49.95", originalPrice: "60" });
    expect(read({ price: "60 USD", sale_price: "60 USD" })).toMatchObject({ price: "60", originalPrice: null });
    expect(read({ sale_price: "5 USD" })).toMatchObject({ price: "5", originalPrice: null });
  });

  it("of a dated sale is stored with its dates", () => {
    const sale_price_effective_date = "2026-11-19T00:00-0500 / 2026-11-21";
    expect(read({ price: "10 USD", sale_price: "5 USD", sale_price_effective_date })).toMatchObject({
      price: "5",
      originalPrice: "10",
      warnings: [],
      saleStartsAt: "2026-11-19T05:00:00.000Z",
      saleEndsAt: "2026-11-21T23:59:59.999Z",
    });
  });

  it("is never that of a sale that ends before it starts, and a warning says so", () => {
    const sale_price_effective_date = "2026-11-21T00:00Z/2026-11-19T00:00Z";
    expect(read({ price: "10 USD", sale_price: "5 USD", sale_price_effective_date })).toMatchObject({
      price: "10",
      originalPrice: null,
      saleStartsAt: null,
      saleEndsAt: null,
      warnings: [{ code: "invalid_field", message: expect.stringMatching(/^sale_price_effective_date: expected /) }],
    });
  });

  it.each([["whenever"], [20261120], ["2026-11-19/2026-11-20/2026-11-21"], [["2026-11-19/2026-11-20"]]])(
    "ignores the dates %j with a warning",
    (sale_price_effective_date) => {
      expect(read({ price: "10 USD", sale_price: "5 USD", sale_price_effective_date })).toMatchObject({
        price: "5",
        originalPrice: "10",
        saleStartsAt: null,
        saleEndsAt: null,
        warnings: [{ code: "invalid_field", message: expect.stringMatching(/^sale_price_effective_date: expected /) }],
      });
    },
  );

  it("does not look at the dates of no sale, or at empty ones", () => {
    const empty = { price: "10 USD", sale_price: "5 USD", sale_price_effective_date: " " };
    expect(read(empty)).toMatchObject({ price: "5", saleStartsAt: null, saleEndsAt: null, warnings: [] });
    expect(read({ price: "10 USD", sale_price_effective_date: "whenever" })).toMatchObject({ warnings: [] });
    const notLower = { price: "10 USD", sale_price: "10 USD", sale_price_effective_date: "2026-11-19/2026-11-20" };
    expect(read(notLower)).toMatchObject({ price: "10", originalPrice: null, saleStartsAt: null, saleEndsAt: null });
  });
});

describe("category", () => {
  it.each([
    [{ product_type: "Shoes > Boots >", google_product_category: "187" }, "Shoes>Boots", null],
    [{ product_type: ["Shoes", "Sale"] }, "Shoes", null],
    [{ google_product_category: "Apparel > Shoes" }, "Apparel>Shoes", "Apparel>Shoes"],
    [{ google_product_category: "187 - Apparel > Shoes" }, "Apparel>Shoes", "Apparel>Shoes"],
    [{ product_type: "Boots", google_product_category: "Apparel > Shoes" }, "Boots", "Apparel>Shoes"],
    [{ google_product_category: 1604 }, null, null],
    [{ google_product_category: "Home &amp; Garden &gt; Lawn" }, "Home & Garden>Lawn", "Home & Garden>Lawn"],
    [{ product_type: " 12 ", google_product_category: " 1604 > " }, null, null],
    [{ product_type: "Novels > 1984" }, "Novels>1984", null],
    [{ product_type: " > " }, null, null],
  ])("of %j is %j, and Google's is %j", (fields, category, googleProductCategory) => {
    expect(read(fields)).toMatchObject({ category, googleProductCategory, warnings: [] });
  });
});

describe("item_group_id", () => {
  it.each([
    ["TR3", "TR3"],
    [" TR 3 ", "TR 3"],
    [42, "42"],
    ["   ", null],
    ["\u00a0\t", null],
    ["g".repeat(50), "g".repeat(50)],
  ])("%j is %j", (item_group_id, itemGroupId) => {
    expect(read({ item_group_id })).toMatchObject({ itemGroupId });
  });
});

describe("gtin", () => {
  it("has 14 digits", () => {
    expect(read({ gtin: " 400-6381 333931 " })).toMatchObject({ gtin: "04006381333931", warnings: [] });
    expect(read({ gtin: 4006381333931 })).toMatchObject({ gtin: "04006381333931", warnings: [] });
    expect(read({ gtin: "  " })).toMatchObject({ gtin: null, warnings: [] });
  });

  it("is ignored with a warning if it is invalid", () => {
    expect(read({ gtin: "4.00638E+12" })).toMatchObject({
      gtin: null,
      warnings: [{ code: "invalid_field", message: expect.stringMatching(/^gtin: expected .* it was ignored$/) }],
    });
  });
});

describe("availability", () => {
  it.each([
    ["in stock", "in_stock"],
    ["In_Stock", "in_stock"],
    ["Out-of-stock", "out_of_stock"],
    ["pre order", "preorder"],
    ["backorder", "backorder"],
    ["BackOrder", "backorder"],
    ["out  of\u00a0stock", "out_of_stock"],
  ])("reads %j as %s", (availability, known) => {
    expect(read({ availability })).toMatchObject({ availability: known });
  });
});

describe("details", () => {
  it("accept a list, one object or Merchant's text format", () => {
    const list = [
      { section_name: "Fit", attribute_name: "colour", attribute_value: "red" },
      { name: "size", value: 43 },
      { attribute_name: "waterproof", attribute_value: true },
      { attribute_name: "empty", attribute_value: "" },
      null,
    ];
    const details = [
      { name: "colour", value: "red" },
      { name: "size", value: "43" },
      { name: "waterproof", value: "true" },
    ];
    expect(read({ product_detail: list })).toMatchObject({ details });
    expect(read({ product_detail: list[0] })).toMatchObject({ details: details.slice(0, 1) });
    expect(read({ product_detail: "Fit:colour:red,size:43" })).toMatchObject({ details: details.slice(0, 2) });
  });

  it("are truncated to 500 pairs of 1,000 characters, never within a surrogate pair", () => {
    const product_detail = Array.from({ length: 501 }, () => ({ name: "a", value: `${"x".repeat(999)}😀` }));
    const product = read({ product_detail });
    if ("code" in product) throw new Error(product.message);
    expect(product.details).toHaveLength(500);
    expect(product.details[0]?.value).toBe("x".repeat(999));
  });
});
