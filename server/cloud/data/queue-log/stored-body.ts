/** How a record stores a body: as JSON text, as the string itself, or as the JSON text of the string. */
const FORM = { json: 0, text: 1, quotedText: 2 } as const;

export interface StoredBody {
  body: string;
  form: number;
}

/** Postgres returns no text that has U+0000, and UTF-8 has no halves of surrogate pairs. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export function storeBody({ body, isText }: { body: string; isText: boolean }): StoredBody {
  if (!isText) return { body, form: FORM.json };
  return UNSTORABLE.test(body) ? { body: JSON.stringify(body), form: FORM.quotedText } : { body, form: FORM.text };
}

export const readBody = ({ body, form }: StoredBody): { body: string; isText: boolean } => ({
  body: form === FORM.quotedText ? (JSON.parse(body) as string) : body,
  isText: form !== FORM.json,
});
