"use client";

import { textIn } from "../../../../components/form/read-fields";
import { Dialog } from "../../../../components/ui/dialog";
import { createChatUpstreamInput } from "../../../../generated/inputs/createChatUpstream";
import { updateChatUpstreamInput } from "../../../../generated/inputs/updateChatUpstream";
import { SchemaForm } from "../../../components/schema-form";
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
  const end = { done: "Upstream saved.", onDone: onClose, onCancel: onClose };
  const shown = upstream === "new" ? undefined : upstream;
  return (
    <Dialog
      open={upstream !== undefined}
      onOpenChange={onClose}
      title={shown ? `Edit ${shown.name}` : `Add an upstream in ${mode} mode`}
      className="max-w-2xl"
    >
      {upstream === "new" && (
        <SchemaForm
          input={createChatUpstreamInput}
          fields={upstreamFields()}
          fixed={{ project }}
          submit="Add upstream"
          {...end}
        />
      )}
      {shown && (
        <SchemaForm
          input={updateChatUpstreamInput}
          fields={upstreamFields(shown)}
          values={shown}
          fixed={{ id: shown.id }}
          submit="Save upstream"
          {...end}
        />
      )}
    </Dialog>
  );
}

const upstreamFields = (upstream?: ChatUpstream) => ({
  name: { placeholder: "openai", hint: null },
  base_url: {
    label: "Base URL",
    as: "identifier" as const,
    placeholder: "https://api.openai.com/v1",
    hint: "The address before /chat/completions.",
  },
  api_key: {
    label: "Secret with the key",
    as: "identifier" as const,
    value: upstream?.api_key?.secret ?? "",
    placeholder: "openai-key",
    hint: "The name of a secret of this mode. Its value is sent as the bearer token.",
    read: (fields: FormData) => {
      const secret = textIn(fields, "api_key");
      return secret ? { secret } : null;
    },
  },
  models: {
    as: "lines" as const,
    rows: 4,
    value: modelLines(upstream?.models ?? []),
    placeholder: "gpt-4o-mini 0.15 0.60",
    hint: "One per line: its name, then the prices of a million tokens of the prompt and of the answer.",
    optional: false,
    read: (fields: FormData) => modelsIn(textIn(fields, "models"), upstream?.models ?? []),
  },
  priority: { hint: "Upstreams with lower numbers are used first." },
});
