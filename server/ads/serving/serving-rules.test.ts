import { expect, test } from "vitest";
import { categoriesMeet, foldCategory, isWithin } from "./category-path";
import { isOnSale, priceAt } from "./price-at";
import { productKey } from "./product-key";
import type { ServingItem, ServingProduct } from "./serving";

const product = (fields: Partial<ServingProduct>): ServingProduct => ({
  kind: "product",
  id: "p",
  campaignId: "cmp_1",
  title: "",
  content: "",
  landingUrl: "https://shop.example/p",
  inStock: true,
  ...fields,
});
const creative = (fields: Partial<ServingItem>): ServingItem =>
  ({
    kind: "creative",
    id: "c",
    campaignId: "cmp_1",
    title: "",
    content: "",
    cta: "",
    landingUrl: "https://shop.example/c",
    ...fields,
  }) as ServingItem;

test.each([
  ["Electronics > Audio", "electronics>audio"],
  ["  Café >> Tea > ", "cafe>tea"],
  ["", ""],
])("the category %j is compared as %j", (path, folded) => expect(foldCategory(path)).toBe(folded));

test("a category is within itself and what is above it, not within what only starts alike", () => {
  expect([isWithin("a>b", "a"), isWithin("a", "a"), isWithin("a", "a>b"), isWithin("ab", "a")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([categoriesMeet(["a>b"], ["a"]), categoriesMeet(["a"], ["a>b"]), categoriesMeet(["a"], ["b"])]).toEqual([
    true,
    true,
    false,
  ]);
  expect(categoriesMeet([], ["a"])).toBe(false);
});

test("the sale price applies from its start to its end, both included", () => {
  const [usual, sale] = [
    { amount: 20, currency: "USD" },
    { amount: 15, currency: "USD" },
  ];
  const item = product({ price: usual, sale: { price: sale, startsAtMs: 10, endsAtMs: 20 } });
  expect([9, 10, 20, 21].map((now) => priceAt(item, now)?.amount)).toEqual([20, 15, 15, 20]);
  expect(priceAt(product({ price: usual }), 10)).toBe(usual);
  expect([isOnSale({}, 0), isOnSale({ startsAtMs: 5 }, 4), isOnSale({ endsAtMs: 5 }, 6)]).toEqual([true, false, false]);
});

test("a product is identified by its group within the campaign, else its trade number, else its page", () => {
  expect(productKey(product({ groupId: "g", gtin: "1" }))).toBe("cmp_1 g");
  expect(productKey(product({ groupId: "g", campaignId: "cmp_2" }))).not.toBe(productKey(product({ groupId: "g" })));
  expect(productKey(product({ gtin: "1" }))).toBe("1");
  expect(productKey(product({}))).toBe("https://shop.example/p");
  expect(productKey(creative({}))).toBe("https://shop.example/c");
});
