import { decodeText, encodeText } from "./percent-encoding";

/** A query with its parameters in the order in which they were sent, decoded. */
export class S3Query {
  readonly #first = new Map<string, string>();

  private constructor(readonly parameters: readonly (readonly [name: string, value: string])[]) {
    for (const [name, value] of parameters) if (!this.#first.has(name)) this.#first.set(name, value);
  }

  /** Parses the text after `?`; undefined if a name or value is not percent-encoded UTF-8. A plus is a space. */
  static parse(text: string): S3Query | undefined {
    const parameters: [string, string][] = [];
    for (const pair of text.split("&")) {
      if (pair === "") continue;
      const equals = pair.indexOf("=");
      const name = decodeParameter(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? "" : decodeParameter(pair.slice(equals + 1));
      if (name === undefined || value === undefined) return undefined;
      parameters.push([name, value]);
    }
    return new S3Query(parameters);
  }

  has(name: string): boolean {
    return this.#first.has(name);
  }

  /** The first value; empty for a parameter without one. */
  get(name: string): string | undefined {
    return this.#first.get(name);
  }

  /** Whether a parameter was sent more than once. */
  isRepeated(name: string): boolean {
    return this.parameters.filter(([each]) => each === name).length > 1;
  }

  /** The canonical query of Signature Version 4: encoded, ordered by name and then by value. */
  canonical(): string {
    return this.parameters
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]): [string, string] => [encodeText(name), encodeText(value)])
      .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
      .map(([name, value]) => `${name}=${value}`)
      .join("&");
  }
}

const decodeParameter = (text: string): string | undefined => decodeText(text.replaceAll("+", " "));

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
