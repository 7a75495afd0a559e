import { sha256 } from "../../kernel/secrets";

/** Models read a few hundred words at most, and the first ones say what an item is. */
const CONTENT_CHARS_MAX = 600;
const CHARS_MAX = 1200;

/** The columns of a creative or a product of which its vector is made. */
export interface VectorSource {
  title: string;
  /** The name of a creative's product. */
  product: string | null;
  brand: string | null;
  category: string | null;
  content: string;
}

/** The text of an item that is sent to the embeddings server: the title first, one field per line. */
export function vectorText({ title, product, brand, category, content }: VectorSource): string {
  const fields = [title, product, brand, category, cut(content, CONTENT_CHARS_MAX)];
  const lines = fields.map((field) => (field ?? "").trim()).filter(Boolean);
  return cut(lines.join("\n"), CHARS_MAX);
}

/** The first `charsMax` characters, without half of a surrogate pair at the end. */
const cut = (text: string, charsMax: number): string => text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, "");

/** Equal for equal texts. */
export const textPrintOf = (text: string): string => sha256(text);
