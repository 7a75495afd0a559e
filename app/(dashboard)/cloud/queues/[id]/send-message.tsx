import { useState } from "react";
import { SelectField, TextAreaField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { useMutationOf } from "../../../../trpc/use-operation";
import type { Queue } from "../queue";
import { messageIn } from "./read-message";

const BODIES = { json: '{ "to": "ada@example.com" }', text: "Any text" };

export function SendMessage({ queue: { id } }: { queue: Queue }) {
  const send = useMutationOf("sendMessages", { meta: { inline: true } });
  const [format, setFormat] = useState<keyof typeof BODIES>("json");
  return (
    <Section title="Send a message" description="As a program does with one call. Consumers receive it like any other.">
      <Form error={send.error} onSubmit={(fields) => send.mutate({ q: id, ...messageIn(fields) })}>
        <SelectField
          name="format"
          label="Format"
          className="w-48"
          value={format}
          onChange={(event) => setFormat(event.target.value === "text" ? "text" : "json")}
        >
          <option value="json">JSON object</option>
          <option value="text">Text</option>
        </SelectField>
        <TextAreaField
          name="body"
          label="Body"
          rows={5}
          spellCheck={false}
          placeholder={BODIES[format]}
          hint="At most 256 KiB."
        />
        <DeliveryFields />
        <Button type="submit" pending={send.isPending}>
          Send message
        </Button>
        {send.data && <SentNotice {...send.data} />}
      </Form>
    </Section>
  );
}

const DeliveryFields = () => (
  <details>
    <summary className="cursor-pointer text-sm">Group, delay and deduplication</summary>
    <div className="grid gap-5 pt-4 sm:grid-cols-3">
      <TextField
        name="group_id"
        label="Group"
        optional
        maxLength={128}
        placeholder="user-42"
        hint="Messages of one group are delivered one after the other."
      />
      <TextField
        name="delay_seconds"
        label="Delay in seconds"
        optional
        type="number"
        min={0}
        max={900}
        hint="0 to 900. Later messages of its group wait for it."
      />
      <TextField
        name="deduplication_id"
        label="Deduplication ID"
        optional
        maxLength={128}
        placeholder="order-1001"
        hint="A second message with it within 5 minutes is not stored."
      />
    </div>
  </details>
);

const SentNotice = ({ id, is_duplicate }: { id?: string | undefined; is_duplicate?: boolean | undefined }) => (
  <Alert tone={is_duplicate ? "warn" : "good"}>
    {is_duplicate
      ? "Not stored again: a message with this deduplication ID was sent within 5 minutes. Its ID is "
      : "Sent. Its ID is "}
    <span className="break-all font-mono text-xs">{id}</span>
  </Alert>
);
