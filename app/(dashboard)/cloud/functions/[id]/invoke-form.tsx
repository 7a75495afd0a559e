import { TextAreaField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { jsonIn } from "../../../../components/form/json-in";
import { textIn } from "../../../../components/form/read-fields";
import { Section } from "../../../../components/ui/card";
import { FieldError } from "../../../../trpc/failure";
import { useMutationOf } from "../../../../trpc/use-operation";
import type { CloudFunction } from "../function";
import { InvocationResult } from "./invocation-result";

/** Calls the function with a payload, and shows what it returned and printed. */
export function InvokeForm({ of: { id, name } }: { of: CloudFunction }) {
  const invoke = useMutationOf("invokeFunction", { meta: { inline: true } });
  return (
    <Section title="Call" description={`Runs ${name} now, with a JSON value as its payload.`}>
      <div className="space-y-4">
        <Form
          sends={invoke}
          onSubmit={(fields) => invoke.mutate({ id, payload: payloadOf(textIn(fields, "payload")) })}
          label="Call function"
        >
          <TextAreaField
            name="payload"
            label="Payload"
            optional
            rows={4}
            defaultValue="{}"
            spellCheck={false}
            className="[&_textarea]:font-mono [&_textarea]:text-xs"
          />
        </Form>
        {invoke.data && <InvocationResult invocation={invoke.data} />}
      </div>
    </Section>
  );
}

type Payload = Record<string, unknown> | unknown[] | string | number | boolean | null;

function payloadOf(text: string): Payload {
  if (text === "") return null;
  try {
    return jsonIn("payload", text) as Payload;
  } catch (failure) {
    if (failure instanceof FieldError) throw failure;
    throw new FieldError("payload", 'Enter a JSON value, such as {"name": "Ada"}.');
  }
}
