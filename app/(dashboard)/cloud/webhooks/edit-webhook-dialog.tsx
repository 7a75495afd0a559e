"use client";

import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { updateWebhookInput } from "../../../generated/inputs/updateWebhook";
import { SchemaForm } from "../../components/schema-form";
import { useKinds } from "./use-kinds";
import type { Webhook } from "./webhook";
import { webhookFields } from "./webhook-fields";

interface EditWebhookDialogProps {
  webhook: Webhook;
  open: boolean;
  onClose: () => void;
  allowsLoopback: boolean;
}

export function EditWebhookDialog({ webhook, open, onClose, allowsLoopback }: EditWebhookDialogProps) {
  const kinds = useKinds();
  return (
    <Dialog open={open} onOpenChange={onClose} title={`Edit ${webhook.name}`} className="max-w-2xl">
      <QueryContent query={kinds}>
        {({ data }) => (
          <SchemaForm
            input={updateWebhookInput}
            fields={webhookFields({ webhook, kinds: data, allowsLoopback })}
            values={webhook}
            fixed={{ id: webhook.id }}
            submit="Save webhook"
            done="Webhook saved."
            onDone={onClose}
            onCancel={onClose}
          />
        )}
      </QueryContent>
    </Dialog>
  );
}
