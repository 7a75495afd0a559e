import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import { surfaces } from "../../../server/surfaces";
import { Alert } from "../../components/ui/alert";
import { AuthCard, TEXT_LINK } from "../auth-card";
import { ForgotPasswordForm } from "./forgot-password-form";

export const metadata: Metadata = { title: "Forgot password" };

export default async function ForgotPasswordPage() {
  await connection();
  const { mailDelivery } = surfaces();
  return (
    <AuthCard
      title="Forgot the password?"
      {...(mailDelivery !== "none" && {
        description: "Type your address and we write you a link that sets a new one.",
      })}
      footer={
        <Link href="/log-in" className={TEXT_LINK}>
          Back to log-in
        </Link>
      }
    >
      {mailDelivery === "none" ? <AskTheOperator /> : <ForgotPasswordForm outbox={mailDelivery === "outbox"} />}
    </AuthCard>
  );
}

const AskTheOperator = () => (
  <Alert>
    This installation sends no mail. Ask whoever runs it for a new password: on its machine, in svc's folder, they run{" "}
    <code className="break-words font-mono text-xs">
      npm run svc -- admin reset-password &lt;your e-mail address&gt;
    </code>
  </Alert>
);
