import { TextAreaField } from "../../../components/form/fields";

/** The module of a function. */
export const CodeField = ({ code, hint }: { code: string; hint: string }) => (
  <TextAreaField
    name="code"
    label="Code"
    rows={12}
    defaultValue={code}
    spellCheck={false}
    autoComplete="off"
    className="[&_textarea]:font-mono [&_textarea]:text-xs"
    hint={hint}
  />
);
