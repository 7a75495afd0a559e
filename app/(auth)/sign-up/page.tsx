import type { Metadata } from "next";
import { connection } from "next/server";
import { surfaces } from "../../../server/surfaces";
import { Alert } from "../../components/ui/alert";
import { Link } from "../../components/ui/link";
import { AuthCard, LINK_STYLE } from "../auth-card";
import { SignUpForm } from "./sign-up-form";

export const metadata: Metadata = { title: "Sign up" };

const LOG_IN = (
  <>
    Already have an account?{" "}
    <Link href="/log-in" className={LINK_STYLE}>
      Log in
    </Link>
  </>
);

export default async function SignUpPage() {
  await connection();
  const isOpen = (await surfaces().signUpMode()) === "open";
  return (
    <AuthCard
      title="Create an account"
      description="Test mode is free; nothing is billed before you go live."
      footer={LOG_IN}
    >
      {isOpen ? (
        <SignUpForm />
      ) : (
        <Alert>Sign-up is by invitation here. Open the link in your invitation, or ask the operator for one.</Alert>
      )}
    </AuthCard>
  );
}
