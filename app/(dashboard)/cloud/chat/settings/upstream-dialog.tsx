"use client";

import { useMutation } from "@tanstack/react-query";
import { TextAreaField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { FormButtons } from "../../../../components/form/form-buttons";
import { numberIn, textIn } from "../../../../components/form/read-fields";
import { Dialog } from "../../../../components/ui/dialog";
import { useTRPC } from "../../../../trpc/client";
import { useMode } from "../../../components/shell/mode";
import type { ChatUpstream } from "../wire";
import { modelLines, modelsIn } from "./read-models";

interface UpstreamDialogProps {
  /** Undefined: closed. */
  upstream: ChatUpstream | "new" | undefined;
  project: string;
  onClose: () => void;
}

export function UpstreamDialog({ upstream, project, onClose }: UpstreamDialogProps) {
  const { mode } = useMode();
  const shown = upstream === "new" ? undefined : upstream;
  return (
    <Dialog
      open={upstream !== undefined}
      onOpenChange={onClose}
      title={shown ? `Edit ${shown.name}` : `Add an upstream in ${mode} mode`}
      className="max-w-2xl"
    >
      {upstream !== undefined && <UpstreamForm upstream={shown} project={project} onDone={onClose} />}
    </Dialog>
  );
}

interface UpstreamFormProps {
  upstream: ChatUpstream | undefined;
  project: string;
  onDone: () => void;
}

function UpstreamForm({ upstream, project, onDone }: UpstreamFormProps) {
  const { save, error, isPending } = useSaving({ upstream, project, onDone });
  return (
    <Form error={error} onSubmit={save}>
      <TextField name="name" label="Name" placeholder="openai" maxLength={80} defaultValue={upstream?.name} />
      <TextField
        name="base_url"
        label="Base URL"
        type="url"
        placeholder="https://api.openai.com/v1"
        defaultValue={upstream?.base_url}
        hint="The address before /chat/completions."
      />
      <TextField
        name="api_key"
        label="Secret with the key"
        optional
        placeholder="openai-key"
        autoComplete="off"
        spellCheck={false}
        defaultValue={upstream?.api_key?.secret}
        hint="The name of a secret of this mode. Its value is sent as the bearer token."
      />
      <TextAreaField
        name="models"
        label="Models"
        rows={4}
        spellCheck={false}
        placeholder="gpt-4o-mini 0.15 0.60"
        defaultValue={modelLines(upstream?.models ?? [])}
        hint="One per line: its name, then the prices of a million tokens of the prompt and of the answer."
      />
      <TextField
        name="priority"
        label="Priority"
        type="number"
        min={0}
        max={1000}
        defaultValue={upstream?.priority ?? 0}
        hint="Upstreams with lower numbers are used first."
      />
      <FormButtons label={upstream ? "Save upstream" : "Add upstream"} pending={isPending} onCancel={onDone} />
    </Form>
  );
}

function useSaving({ upstream, project, onDone }: UpstreamFormProps) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const options = { meta: { inline: true, done: "Upstream saved." }, onSuccess: onDone };
  const create = useMutation(trpc.createChatUpstream.mutationOptions(options));
  const update = useMutation(trpc.updateChatUpstream.mutationOptions(options));
  const save = (fields: FormData) => {
    const secret = textIn(fields, "api_key");
    const shared = {
      name: textIn(fields, "name"),
      base_url: textIn(fields, "base_url"),
      priority: numberIn(fields, "priority"),
      models: modelsIn(textIn(fields, "models"), upstream?.models ?? []),
      api_key: secret ? { secret } : null,
    };
    if (upstream) update.mutate({ id: upstream.id, ...shared });
    else create.mutate({ ...shared, project, mode });
  };
  return { save, error: create.error ?? update.error, isPending: create.isPending || update.isPending };
}
