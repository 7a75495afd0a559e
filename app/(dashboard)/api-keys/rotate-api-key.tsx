"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Form } from "../../components/form/form";
import { textIn } from "../../components/form/read-fields";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { lastUseText } from "../../format/dates";
import { type Outputs, useTRPC } from "../../trpc/client";
import type { ApiKey } from "./api-key";

export type RotatedKey = Outputs["keys"]["rotate"];

const GRACES = [
  {
    seconds: 0,
    label: "At once",
    hint: "For a secret that may be known to others. Programs fail until they have the new one.",
  },
  {
    seconds: 3600,
    label: "After 1 hour",
    hint: "Both secrets work for an hour: for programs that you change by hand.",
  },
  {
    seconds: 86_400,
    label: "After 24 hours",
    hint: "Both work for a day: for programs that get secrets by a nightly deployment.",
  },
];

interface RotateApiKeyProps {
  apiKey: ApiKey;
  /** Gets the new secret, which is never shown again. */
  onRotated: (rotated: RotatedKey) => void;
}

export function RotateApiKey({ apiKey, onRotated }: RotateApiKeyProps) {
  const { name, last_used_at } = apiKey;
  const [open, setOpen] = useState(false);
  const rotated = (key: RotatedKey) => {
    setOpen(false);
    onRotated(key);
  };
  return (
    <>
      <Button variant="ghost" size="sm" aria-label={`Rotate ${name}`} onClick={() => setOpen(true)}>
        Rotate
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Rotate ${name}?`}
        description={`A new secret takes the place of the old one; id, scopes and limits stay. ${lastUseText(last_used_at)}`}
      >
        <RotateForm apiKey={apiKey} onCancel={() => setOpen(false)} onRotated={rotated} />
      </Dialog>
    </>
  );
}

function RotateForm({ apiKey, onCancel, onRotated }: RotateApiKeyProps & { onCancel: () => void }) {
  const trpc = useTRPC();
  const rotate = useMutation(trpc.keys.rotate.mutationOptions({ meta: { inline: true }, onSuccess: onRotated }));
  const submit = (fields: FormData) =>
    rotate.mutate({ id: apiKey.id, grace_seconds: Number(textIn(fields, "grace_seconds")) });
  return (
    <Form error={rotate.error} onSubmit={submit}>
      <fieldset className="space-y-2">
        <legend className="mb-2 font-medium text-sm">The old secret stops working</legend>
        {GRACES.map((grace) => (
          <GraceChoice key={grace.seconds} {...grace} />
        ))}
      </fieldset>
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={rotate.isPending}>
          Rotate key
        </Button>
      </div>
    </Form>
  );
}

function GraceChoice({ seconds, label, hint }: (typeof GRACES)[number]) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5 rounded-lg border p-3 has-checked:border-primary has-checked:bg-accent/50">
      <input
        type="radio"
        id={id}
        name="grace_seconds"
        value={seconds}
        defaultChecked={seconds === 0}
        aria-describedby={`${id}-hint`}
        className="mt-0.5 size-4 accent-primary"
      />
      <div className="text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-5">
          {hint}
        </p>
      </div>
    </div>
  );
}
