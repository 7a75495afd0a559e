"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { useTRPC } from "../../../../trpc/client";
import type { Webhook } from "../webhook";

export function DeleteWebhook({ webhook: { id, name } }: { webhook: Webhook }) {
  const trpc = useTRPC();
  const router = useRouter();
  const remove = useMutation(
    trpc.deleteWebhook.mutationOptions({
      meta: { done: "Webhook deleted.", leaves: true },
      onSuccess: () => router.push("/cloud/webhooks"),
    }),
  );
  return (
    <Section title="Delete webhook" description="To stop events temporarily, disable the webhook.">
      <Confirm
        trigger={<Button variant="outline">Delete webhook</Button>}
        title={`Delete ${name}?`}
        consequence="No more events are sent to it, pending deliveries fail, and its log and its secret are lost. This cannot be undone."
        action="Delete webhook"
        onConfirm={() => remove.mutateAsync({ id })}
      />
    </Section>
  );
}
