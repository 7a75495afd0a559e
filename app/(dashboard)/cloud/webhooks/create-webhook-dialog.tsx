"use client";

import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { createWebhookInput } from "../../../generated/inputs/createWebhook";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { useMode } from "../../components/shell/mode";
import { useKinds } from "./use-kinds";
import type { WebhookSecret } from "./webhook";
import { webhookFields } from "./webhook-fields";

interface CreateWebhookDialogProps extends DialogState {
  allowsLoopback: boolean;
  /** Receives the webhook with its secret, which is never shown again. */
  onCreated: (created: WebhookSecret) => void;
}

export function CreateWebhookDialog({ allowsLoopback, onCreated, ...state }: CreateWebhookDialogProps) {
  const { mode } = useMode();
  const kinds = useKinds();
  return (
    <Dialog
      title={`Create a ${mode} webhook`}
      description="svc sends a signed POST request to the URL for each event."
      className="max-w-2xl"
      {...state}
    >
      <QueryContent query={kinds}>
        {({ data }) => (
          <SchemaForm
            input={createWebhookInput}
            fields={webhookFields({ kinds: data, allowsLoopback })}
            submit={`Create ${mode} webhook`}
            onDone={onCreated}
            onCancel={() => state.onOpenChange(false)}
            isWatched
          />
        )}
      </QueryContent>
    </Dialog>
  );
}
