/** How sections are indexed at build time, and how the browser reads that index. */
export const DOCS_SEARCH = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "text"],
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: /** @type {const} */ ("AND"), boost: { title: 3, page: 2 } },
};
