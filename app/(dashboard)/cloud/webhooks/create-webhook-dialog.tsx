"use client";

import { useMutation } from "@tanstack/react-query";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import type { WebhookSecret } from "./webhook";
import { WebhookForm, type WebhookInput } from "./webhook-form";

interface CreateWebhookDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  allowsLoopback: boolean;
  /** Receives the webhook with its secret, which is never shown again. */
  onCreated: (created: WebhookSecret) => void;
}

export function CreateWebhookDialog({ open, onOpenChange, ...form }: CreateWebhookDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a ${mode} webhook`}
      description="svc sends a signed POST request to the URL for each event."
      className="max-w-2xl"
    >
      {open && <CreateForm {...form} onCancel={() => onOpenChange(false)} />}
    </Dialog>
  );
}

interface CreateFormProps extends Pick<CreateWebhookDialogProps, "allowsLoopback" | "onCreated"> {
  onCancel: () => void;
}

function CreateForm({ onCreated, ...form }: CreateFormProps) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const create = useMutation(
    trpc.createWebhook.mutationOptions({ meta: { inline: true }, onSuccess: (created) => onCreated(created) }),
  );
  const submit = ({ project, ...input }: WebhookInput) =>
    create.mutate({ ...input, mode, ...(project && { project }) });
  return <WebhookForm {...form} saving={create} submitLabel={`Create ${mode} webhook`} onSubmit={submit} />;
}
