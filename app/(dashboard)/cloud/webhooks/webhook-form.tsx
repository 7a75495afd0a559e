"use client";

import { useState } from "react";
import { Field, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { textIn } from "../../../components/form/read-fields";
import type { SaveStatus } from "../../../components/form/watched-form";
import { QueryContent } from "../../../components/query-content";
import { Input } from "../../../components/ui/input";
import { FieldError } from "../../../trpc/failure";
import { ProjectField } from "../../components/project-field";
import { KindPicker } from "./kind-picker";
import { urlProblem } from "./url-problem";
import { useKinds } from "./use-kinds";
import type { Webhook } from "./webhook";

export interface WebhookInput {
  name: string;
  url: string;
  events: string[];
  /** An id; empty where it cannot be chosen. */
  project: string;
}

interface WebhookFormProps {
  /** undefined: a new one. */
  webhook?: Webhook;
  allowsLoopback: boolean;
  saving: { error: unknown; status: SaveStatus; isPending: boolean };
  submitLabel: string;
  onSubmit: (input: WebhookInput) => void;
  onCancel: () => void;
}

/** Name, URL and kinds of events of a webhook. */
export function WebhookForm({ webhook, allowsLoopback, saving, submitLabel, onSubmit, onCancel }: WebhookFormProps) {
  const kinds = useKinds();
  const submit = (fields: FormData) => {
    const input = {
      name: textIn(fields, "name"),
      url: textIn(fields, "url"),
      events: fields.getAll("events").map(String),
      project: textIn(fields, "project"),
    };
    if (input.name === "") throw new FieldError("name", "Enter a name.");
    const problem = urlProblem(input.url, allowsLoopback);
    if (problem) throw new FieldError("url", problem);
    if (input.events.length === 0) throw new FieldError("events", "Choose at least one kind of event.");
    onSubmit(input);
  };
  return (
    <QueryContent query={kinds}>
      {({ data }) => (
        <Form error={saving.error} saving={saving.status} onSubmit={submit}>
          <TextField
            name="name"
            label="Name"
            defaultValue={webhook?.name}
            placeholder="Order sync"
            maxLength={200}
            autoComplete="off"
          />
          <UrlField defaultValue={webhook?.url ?? ""} allowsLoopback={allowsLoopback} />
          {!webhook && (
            <ProjectField hint="The webhook receives the events of this project and those of the whole tenant." />
          )}
          <KindPicker kinds={data} defaultValue={webhook?.events ?? []} />
          <FormButtons label={submitLabel} pending={saving.isPending} onCancel={onCancel} />
        </Form>
      )}
    </QueryContent>
  );
}

/** Reports what is wrong when the field is left, and from then on while people type. */
function UrlField({ defaultValue, allowsLoopback }: { defaultValue: string; allowsLoopback: boolean }) {
  const [problem, setProblem] = useState<string>();
  return (
    <Field
      name="url"
      label="URL"
      problem={problem}
      hint={`An https URL on a public host, with any port; redirects are not followed.${allowsLoopback ? " In this development setup also http on localhost." : ""}`}
      render={(control) => (
        <Input
          {...control}
          type="url"
          inputMode="url"
          defaultValue={defaultValue}
          placeholder="https://example.com/webhooks"
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => problem && setProblem(urlProblem(event.target.value, allowsLoopback))}
          onBlur={({ target: { value } }) => setProblem(value === "" ? undefined : urlProblem(value, allowsLoopback))}
        />
      )}
    />
  );
}
