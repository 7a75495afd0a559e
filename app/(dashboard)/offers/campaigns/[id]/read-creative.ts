import { numberIn, numberOrNullIn, textIn } from "../../../../components/form/read-fields";
import type { PreviewedCreative } from "./previewed-offer";

/** What the creative form holds, in the API's names; an object whose first field is empty is null. */
export const readCreative = (fields: FormData) => ({
  title: textIn(fields, "title"),
  content: textIn(fields, "content"),
  cta: textIn(fields, "cta"),
  landing_url: textIn(fields, "landing_url"),
  brand: brandIn(fields),
  product: productIn(fields),
  price: priceIn(fields),
  rating: ratingIn(fields),
});

/** The draft for the preview: incomplete values are left out. */
export const readDraft = (fields: FormData): PreviewedCreative => ({
  title: textIn(fields, "title"),
  content: textIn(fields, "content"),
  cta: textIn(fields, "cta"),
  brand: brandIn(fields),
  price: nullOnError(() => priceIn(fields)),
  rating: nullOnError(() => ratingIn(fields)),
});

function brandIn(fields: FormData) {
  const brand = {
    ...optional("name", textIn(fields, "brand.name")),
    ...optional("url", textIn(fields, "brand.url")),
    ...optional("icon_url", textIn(fields, "brand.icon_url")),
  };
  return Object.keys(brand).length === 0 ? null : brand;
}

function productIn(fields: FormData) {
  const title = textIn(fields, "product.title");
  return title === "" ? null : { title, ...optional("category", textIn(fields, "product.category")) };
}

function priceIn(fields: FormData) {
  if (textIn(fields, "price.amount") === "") return null;
  const before = numberOrNullIn(fields, "price.original_price");
  return {
    amount: numberIn(fields, "price.amount"),
    currency: textIn(fields, "price.currency"),
    ...(before === null ? {} : { original_price: before }),
  };
}

function ratingIn(fields: FormData) {
  if (textIn(fields, "rating.value") === "") return null;
  const count = numberOrNullIn(fields, "rating.count");
  return {
    value: numberIn(fields, "rating.value"),
    scale: numberIn(fields, "rating.scale"),
    ...(count === null ? {} : { count }),
  };
}

const optional = <K extends string>(name: K, text: string): { [P in K]?: string } =>
  text === "" ? {} : ({ [name]: text } as { [P in K]?: string });

function nullOnError<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
