import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { useDeletion } from "../../../components/use-deletion";
import type { Webhook } from "../webhook";

export function DeleteWebhook({ webhook: { id, name } }: { webhook: Webhook }) {
  const remove = useDeletion("deleteWebhook", { done: "Webhook deleted.", href: "/cloud/webhooks" });
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
