/** The part of a JSON schema that a form can show. */
export interface FieldSchema {
  type?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  /** Of a string that has lines, such as a script. */
  contentMediaType?: string;
}

/** A JSON schema of an object. */
export interface ObjectSchema {
  properties: Record<string, FieldSchema>;
  required?: string[];
}
