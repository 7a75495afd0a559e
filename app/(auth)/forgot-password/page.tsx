import type { Metadata } from "next";
import { connection } from "next/server";
import { surfaces } from "../../../server/surfaces";
import { Alert } from "../../components/ui/alert";
import { Link } from "../../components/ui/link";
import { AuthCard, LINK_STYLE } from "../auth-card";
import { ForgotPasswordForm } from "./forgot-password-form";

export const metadata: Metadata = { title: "Forgot password" };

export default async function ForgotPasswordPage() {
  await connection();
  const { mailDelivery } = surfaces();
  return (
    <AuthCard
      title="Forgot your password?"
      {...(mailDelivery === "smtp" && {
        description: "Enter your email address, and we’ll email you a link to set a new one.",
      })}
      footer={
        <Link href="/log-in" className={LINK_STYLE}>
          Back to login
        </Link>
      }
    >
      {mailDelivery === "smtp" ? <ForgotPasswordForm /> : <AskOperator />}
    </AuthCard>
  );
}

const AskOperator = () => (
  <Alert>
    This installation does not send email. Ask its operator for a new password. They run this in the svc folder on the
    server:{" "}
    <code className="break-words font-mono text-xs">
      npm run svc -- admin reset-password &lt;your email address&gt;
    </code>
  </Alert>
);
