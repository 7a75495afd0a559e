/** What an operation may be sent, and what it then answers. */
export interface OperationExample {
  /** Path parameters, query and JSON body, as in the row's `input`. */
  input?: Record<string, unknown>;
  /** A body that is no JSON, by media type; the same stands in for kindred types. */
  upload?: Readonly<Record<string, string>>;
  output?: unknown;
  /** The same answer as CSV. */
  csv?: string;
}

export type Examples = Readonly<Record<string, OperationExample>>;
