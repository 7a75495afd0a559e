const QUERY_NAMES = ["q", "query", "search", "s", "k", "p", "text", "wd"];
const CONTEXT_LENGTH = 500;
const PART_LENGTH = 150;

/** What the reader searched for, by the address of the page or of the one that led here; empty when neither tells. */
export function inferQuery(): string {
  for (const address of [location.href, document.referrer]) {
    const params = new URLSearchParams(address.split(/[?#]/)[1]);
    for (const name of QUERY_NAMES) {
      const query = harmless(params.get(name));
      if (query) return query;
    }
  }
  return "";
}

/** What the page is about, by what it tells search engines: title, headings, keywords, and its JSON-LD product or article. */
export function inferContext(): string {
  const told = document.querySelectorAll<HTMLMetaElement>("head title,h1:not(form *),meta[name=keywords]");
  const parts = [...told].map(({ content, textContent }) => content || textContent);
  return [...parts, ...linkedParts()].map(harmless).join(" ").trim().slice(0, CONTEXT_LENGTH);
}

/** Names, headlines and categories of the products and articles that the page describes. */
function linkedParts(): string[] {
  return [...document.querySelectorAll("[type='application/ld+json']")].flatMap(({ textContent }) => {
    try {
      const described = JSON.parse(textContent as string);
      return [described["@graph"] || described]
        .flat()
        .filter((node) => /Product|Article/.test(node["@type"]))
        .flatMap(({ name, headline, category }) => [name, headline, category]);
    } catch {
      return [];
    }
  });
}

/** Text without anything that could name or number a person: an address or seven digits make it empty, as no letters do. */
function harmless(text: Partial<string> | null): string {
  const plain = (text?.replace?.(/\s+/g, " ") || "").trim().slice(0, PART_LENGTH);
  return /@|(\d\D*){7}/.test(plain) || !/\p{L}/u.test(plain) ? "" : plain;
}
