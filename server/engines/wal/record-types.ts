/** The types of the records of a write-ahead file. A line is the mark of its type, one character, and a text. */
export class RecordTypes<Type extends string> {
  readonly #marks: Readonly<Record<Type, string>>;
  readonly #types: ReadonlyMap<string, Type>;

  /** Throws for a mark that is not one character, or that two types have. */
  constructor(marks: Readonly<Record<Type, string>>) {
    this.#marks = marks;
    this.#types = new Map(Object.entries<string>(marks).map(([type, mark]) => [mark, type as Type]));
    const isValid = [...this.#types.keys()].every((mark) => mark.length === 1);
    if (!isValid || this.#types.size < Object.keys(marks).length)
      throw new Error("Each type of record needs a mark of its own, of one character.");
  }

  lineOf(type: Type, text: string): string {
    return this.#marks[type] + text;
  }

  /** undefined for a line of another type. */
  typeOf(line: string): Type | undefined {
    return this.#types.get(line.charAt(0));
  }

  textOf(line: string): string {
    return line.slice(1);
  }
}
