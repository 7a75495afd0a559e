import { describe, expect, it } from "vitest";
import { readProduct } from "./feed-product";

const now = new Date("2026-11-20T08:00:00Z");
const required = { id: "1", title: "Boot", link: "https://shop.example/1" };
const read = (fields: object) => readProduct({ ...required, ...fields }, now);

it("needs no more than id, title and link", () => {
  expect(read({})).toEqual({
    externalId: "1",
    title: "Boot",
    link: "https://shop.example/1",
    description: "",
    imageLink: null,
    brand: null,
    gtin: null,
    category: null,
    availability: "in_stock",
    currency: null,
    price: null,
    originalPrice: null,
    rating: null,
    details: [],
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
  [{ price: "10 USD", sale_price: "5 EUR" }, "invalid_field", "sale_price"],
  [{ availability: "perhaps" }, "invalid_field", "availability"],
  [{ availability: "constructor" }, "invalid_field", "availability"],
  [{ rating: { value: 6 } }, "invalid_field", "rating"],
  [{ rating: "4.5" }, "invalid_field", "rating"],
])("refuses %j as %s and names %s", (fields, code, field) => {
  expect(read(fields)).toEqual({ code, message: expect.stringMatching(`^${field}: expected `) });
});

it("takes a numeric id as its text", () => {
  expect(read({ id: 42 })).toMatchObject({ externalId: "42" });
});

describe("price", () => {
  it("is the sale's while that is lower, and then keeps the one before", () => {
    expect(read({ price: "60 USD", sale_price: "49.95 USD" })).toMatchObject({ price: "49.95", originalPrice: "60" });
    expect(read({ price: "60 USD", sale_price: "60 USD" })).toMatchObject({ price: "60", originalPrice: null });
    expect(read({ sale_price: "5 USD" })).toMatchObject({ price: "5", originalPrice: null });
  });

  it.each([
    ["2026-11-19T00:00Z/2026-11-21T00:00Z", "5"],
    ["2026-11-21T00:00Z/2026-11-22T00:00Z", "10"],
    ["2026-11-01T00:00Z/2026-11-19T00:00Z", "10"],
    ["whenever", "5"],
  ])("with a sale dated %s is %s", (sale_price_effective_date, price) => {
    expect(read({ price: "10 USD", sale_price: "5 USD", sale_price_effective_date })).toMatchObject({ price });
  });
});

describe("category", () => {
  it.each([
    [{ product_type: "Shoes > Boots >", google_product_category: "187" }, "Shoes>Boots"],
    [{ product_type: ["Shoes", "Sale"] }, "Shoes"],
    [{ google_product_category: "Apparel > Shoes" }, "Apparel>Shoes"],
    [{ product_type: " > " }, null],
  ])("of %j is %j", (fields, category) => {
    expect(read(fields)).toMatchObject({ category });
  });
});

describe("availability", () => {
  it.each([
    ["in stock", "in_stock"],
    ["In_Stock", "in_stock"],
    ["Out-of-stock", "out_of_stock"],
    ["pre order", "preorder"],
    ["backorder", "backorder"],
  ])("reads %j as %s", (availability, known) => {
    expect(read({ availability })).toMatchObject({ availability: known });
  });
});

describe("details", () => {
  it("come from a list, one object or Merchant's text", () => {
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

  it("are cut to 500 pairs of 1,000 characters, never through a surrogate pair", () => {
    const product_detail = Array.from({ length: 501 }, () => ({ name: "a", value: `${"x".repeat(999)}😀` }));
    const product = read({ product_detail });
    if ("code" in product) throw new Error(product.message);
    expect(product.details).toHaveLength(500);
    expect(product.details[0]?.value).toBe("x".repeat(999));
  });
});
