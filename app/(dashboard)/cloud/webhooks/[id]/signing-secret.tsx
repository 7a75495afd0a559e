import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { VerificationCode } from "../../../../docs/webhooks/verification-tabs";
import { formatDateTime } from "../../../../format/dates";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import type { Webhook, WebhookSecret } from "../webhook";

interface SigningSecretProps {
  webhook: Webhook;
  /** Receives the new secret, which is never shown again. */
  onRotated: (rotated: WebhookSecret) => void;
}

/** The rotation of the secret, and a receiver that verifies with it. */
export function SigningSecret({ webhook, onRotated }: SigningSecretProps) {
  const canWrite = useHasScope("webhooks:write");
  const { previous_secret_until } = webhook;
  return (
    <Section
      id="secret"
      title="Signing secret"
      description="Each request has a signature in X-SVC-Signature. The secret was shown when it was created; if it is lost, rotate it."
      actions={canWrite && <RotateSecret webhook={webhook} onRotated={onRotated} />}
    >
      <div className="space-y-4">
        {previous_secret_until && (
          <Alert tone="warn">
            Requests are signed with both secrets until {formatDateTime(previous_secret_until)}. Change the secret in
            your endpoint before then.
          </Alert>
        )}
        <details className="rounded-lg border">
          <summary className="cursor-pointer rounded-lg px-3 py-2 font-medium text-sm hover:bg-muted/50">
            Verify requests in your endpoint
          </summary>
          <div className="border-t p-3">
            <VerificationCode />
          </div>
        </details>
      </div>
    </Section>
  );
}

function RotateSecret({ webhook: { id, previous_secret_until }, onRotated }: SigningSecretProps) {
  const rotate = useMutationOf("rotateWebhookSecret", { onSuccess: (rotated) => onRotated(rotated) });
  return (
    <Confirm
      trigger={
        <Button variant="outline" size="sm">
          Rotate secret
        </Button>
      }
      title="Rotate the signing secret?"
      consequence={`For 24 hours requests have two signatures, one with the new and one with the current secret, so that your endpoint accepts them with either. Change the secret in your endpoint within this time.${
        previous_secret_until ? " The secret before the last rotation stops signing immediately." : ""
      }`}
      action="Rotate secret"
      onConfirm={() => rotate.mutateAsync({ id })}
    />
  );
}
