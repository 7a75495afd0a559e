/** The path of a field in an input, such as `signals[0].confidence`; "" is the input itself. At most 200 characters. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path) text += typeof part === "number" ? `[${part}]` : `${text ? "." : ""}${String(part)}`;
  return text.slice(0, 200);
}
