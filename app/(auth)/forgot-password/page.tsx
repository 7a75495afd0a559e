import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import { surfaces } from "../../../server/surfaces";
import { AuthCard, TEXT_LINK } from "../auth-card";
import { ForgotPasswordForm } from "./forgot-password-form";

export const metadata: Metadata = { title: "Forgot password" };

export default async function ForgotPasswordPage() {
  await connection();
  return (
    <AuthCard
      title="Forgot the password?"
      description="Type your address and we write you a link that sets a new one."
      footer={
        <Link href="/log-in" className={TEXT_LINK}>
          Back to log-in
        </Link>
      }
    >
      <ForgotPasswordForm outbox={surfaces().hasOutbox} />
    </AuthCard>
  );
}
