/** The part of a JSON schema that a form can show. */
export interface FieldSchema {
  type?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  /** Of a string that has lines, such as a script. */
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  /** A text without spaces, which programs refer to. */
  identifier?: boolean;
  format?: string;
  /** null is a value too: an empty field. */
  nullable?: boolean;
}

/** A JSON schema of an object. */
export interface ObjectSchema {
  properties: Record<string, FieldSchema>;
  required?: string[];
}

/** The input of an operation, as `app/generated/inputs` has it. */
export interface InputSchema<Id extends string = string> extends ObjectSchema {
  operation: Id;
}
