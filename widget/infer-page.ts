const QUERY_NAMES = "q query search s k p text wd".split(" ");
const CONTEXT_LENGTH = 500;
const PART_LENGTH = 150;

/** The search query in the URL of the page or of its referrer; empty without one. */
export function inferQuery(): string {
  for (const address of [location.href, document.referrer]) {
    const params = new URLSearchParams(address.split(/[?#]/)[1]);
    for (const name of QUERY_NAMES) {
      const query = sanitize(params.get(name));
      if (query) return query;
    }
  }
  return "";
}

/** The page's topic from its title, headings, keywords, and JSON-LD products or articles. */
export function inferContext(): string {
  const elements = document.querySelectorAll<HTMLMetaElement>("head title,h1:not(form *),meta[name=keywords]");
  const parts = [...elements].map(({ content, textContent }) => content || textContent);
  return [...parts, ...jsonLdParts()].map(sanitize).join(" ").trim().slice(0, CONTEXT_LENGTH);
}

/** Names, headlines and categories of the JSON-LD products and articles of the page. */
function jsonLdParts(): string[] {
  return [...document.querySelectorAll("[type$='ld+json']")].flatMap(({ textContent }) => {
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

/** Drops text that could identify a person (an email address or seven digits) and text without letters. */
function sanitize(text: Partial<string> | null): string {
  const plain = (text?.replace?.(/\s+/g, " ") || "").trim().slice(0, PART_LENGTH);
  return /@|(\d\D*){7}/.test(plain) || !/\p{L}/u.test(plain) ? "" : plain;
}
