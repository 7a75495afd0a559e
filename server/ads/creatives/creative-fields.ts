import { z } from "zod";
import { category, currencyCode, httpsUrl, httpUrl, name, text } from "../fields";

/** Far above any price, and exact in a double to a ten-thousandth. */
const AMOUNT_MAX = 1e9;

export const title = text(200);
export const content = text(2000);
export const cta = text(60);
export const landingUrl = httpUrl;

export const Brand = z.strictObject({
  name: name.optional().describe("Default: the advertiser's name"),
  url: httpUrl.optional(),
  icon_url: httpsUrl.optional(),
});

export const OfferedProduct = z.strictObject({ title, category: category.optional() });

export const Price = z
  .strictObject({
    amount: z.number().min(0).max(AMOUNT_MAX),
    currency: currencyCode.describe("ISO 4217; display only"),
    original_price: z.number().min(0).max(AMOUNT_MAX).optional().describe("The price before a reduction"),
  })
  .refine(({ amount, original_price }) => original_price === undefined || original_price >= amount, {
    path: ["original_price"],
    error: "expected at least the amount, since it is the price before a reduction",
  });

export const Rating = z
  .strictObject({
    value: z.number().min(0),
    scale: z.number().min(1).max(100),
    count: z.int().min(0).optional().describe("The number of ratings; without it, offers show no rating"),
  })
  .refine(({ value, scale }) => value <= scale, { path: ["value"], error: "expected at most the scale" });
