import { TextAreaField } from "../../../components/form/fields";
import type { Bindings } from "./edge-function";

/** What the code finds in `env`, as JSON. */
export const BindingsField = ({ bindings }: { bindings: Bindings }) => (
  <TextAreaField
    name="bindings"
    label="Bindings"
    optional
    rows={4}
    defaultValue={JSON.stringify(bindings, null, 2)}
    spellCheck={false}
    autoComplete="off"
    className="[&_textarea]:font-mono [&_textarea]:text-xs"
    hint="A JSON list of KV namespaces, buckets, queues and SQL databases in env of the code."
  />
);
