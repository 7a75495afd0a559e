import { VerificationCode } from "../../../docs/webhooks/verification-tabs";
import { SecretDialog } from "../../components/secret-dialog";

interface SecretOfWebhookProps {
  /** Shown while defined. */
  secret: string | undefined;
  onDone: () => void;
}

/** Shows a signing secret once, and a receiver that verifies with it. */
export const SecretOfWebhook = ({ secret, onDone }: SecretOfWebhookProps) => (
  <SecretDialog
    title="Your signing secret"
    description="With it your endpoint verifies that a request came from svc. Set it as the environment variable SVC_WEBHOOK_SECRET."
    noun="secret"
    secret={secret}
    onDone={onDone}
  >
    <div className="[&_pre]:max-h-64 [&_pre]:overflow-y-auto">
      <VerificationCode />
    </div>
  </SecretDialog>
);
