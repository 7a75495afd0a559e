/** Words that nearly every section has: they find nothing, and would take a tenth of the index. */
const COMMON = new Set(
  "a an and are as at be by can for from has have in is it its not of on or than that the their them then there they this to was were when which with".split(
    " ",
  ),
);

/** How sections are indexed at build time, and how the browser reads that index. */
export const DOCS_SEARCH = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "text"],
  /** @param {string} term */
  processTerm: (term) => {
    const word = term.toLowerCase();
    return COMMON.has(word) ? null : word;
  },
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: /** @type {const} */ ("AND"), boost: { title: 3, page: 2 } },
};
