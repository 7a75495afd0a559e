"use client";

import { useState } from "react";
import { Field } from "../../../components/form/fields";
import { textIn } from "../../../components/form/read-fields";
import { Input } from "../../../components/ui/input";
import { FieldError } from "../../../trpc/failure";
import type { Kind } from "./kind-groups";
import { KindPicker } from "./kind-picker";
import { urlProblem } from "./url-problem";
import type { Webhook } from "./webhook";

interface WebhookFieldsProps {
  /** undefined: a new one. */
  webhook?: Webhook;
  kinds: readonly Kind[];
  allowsLoopback: boolean;
}

/** The fields of a webhook, for the forms that create and change one. */
export const webhookFields = ({ webhook, kinds, allowsLoopback }: WebhookFieldsProps) => ({
  name: { placeholder: "Order sync" },
  url: {
    render: () => <UrlField defaultValue={webhook?.url ?? ""} allowsLoopback={allowsLoopback} />,
    read: (fields: FormData) => {
      const url = textIn(fields, "url");
      const problem = urlProblem(url, allowsLoopback);
      if (problem) throw new FieldError("url", problem);
      return url;
    },
  },
  ...(!webhook && {
    project: { hint: "The webhook receives the events of this project and those of the whole tenant." },
  }),
  events: {
    render: () => <KindPicker kinds={kinds} defaultValue={webhook?.events ?? []} />,
    read: (fields: FormData) => {
      const events = fields.getAll("events").map(String);
      if (events.length === 0) throw new FieldError("events", "Choose at least one kind of event.");
      return events;
    },
  },
});

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
