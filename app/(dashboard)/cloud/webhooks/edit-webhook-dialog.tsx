"use client";

import { useMutation } from "@tanstack/react-query";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import type { Webhook } from "./webhook";
import { WebhookForm } from "./webhook-form";

interface EditWebhookDialogProps {
  webhook: Webhook;
  open: boolean;
  onClose: () => void;
  allowsLoopback: boolean;
}

export const EditWebhookDialog = ({ open, onClose, ...form }: EditWebhookDialogProps) => (
  <Dialog open={open} onOpenChange={onClose} title={`Edit ${form.webhook.name}`} className="max-w-2xl">
    {open && <EditForm {...form} onDone={onClose} />}
  </Dialog>
);

interface EditFormProps extends Pick<EditWebhookDialogProps, "webhook" | "allowsLoopback"> {
  onDone: () => void;
}

function EditForm({ webhook, allowsLoopback, onDone }: EditFormProps) {
  const trpc = useTRPC();
  const update = useMutation(
    trpc.updateWebhook.mutationOptions({ meta: { inline: true, done: "Webhook saved." }, onSuccess: onDone }),
  );
  return (
    <WebhookForm
      webhook={webhook}
      allowsLoopback={allowsLoopback}
      saving={update}
      submitLabel="Save webhook"
      onSubmit={({ name, url, events }) => update.mutate({ id: webhook.id, name, url, events })}
      onCancel={onDone}
    />
  );
}
