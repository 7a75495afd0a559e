const LENGTH_MIN = 8;

/** Every form in which a redactor looks for values of at least 8 characters. */
export const patternsOf = (values: readonly string[]): string[] => [
  ...new Set(values.filter(({ length }) => length >= LENGTH_MIN).flatMap(formsOf)),
];

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = bytes.toString("base64");
  const hex = bytes.toString("hex");
  const inBase64 = [base64, ...[0, 1, 2].map((before) => withinBase64(bytes, before))];
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...inBase64.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")]),
    ...urlForms(value),
  ];
  return forms.filter(({ length }) => length >= LENGTH_MIN);
}

/** The characters of base64 that are the same whatever stands before and after the value. */
function withinBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  const first = Math.ceil((before * 8) / 6);
  const last = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(first, last);
}

/** As `encodeURIComponent` and HTML forms write it, also with lower-case digits. */
function urlForms(value: string): string[] {
  if (!value.isWellFormed()) return [];
  const component = encodeURIComponent(value);
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase());
  return [component, lower(component), form, lower(form)];
}
