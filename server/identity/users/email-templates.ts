import type { EmailText } from "../../engines/mail/mail";

interface Link {
  publicUrl: string;
  email: string;
  token: string;
}

export const linkTo = (publicUrl: string, page: string, token: string): string => `${publicUrl}/${page}?token=${token}`;

export const verificationEmail = ({ publicUrl, email, token }: Link): EmailText => ({
  to: email,
  subject: "Confirm your email address",
  text: `Open this link within 24 hours to confirm that this address is yours:

${linkTo(publicUrl, "verify-email", token)}

If you did not create an account, ignore this email.
`,
});

export const passwordResetEmail = ({ publicUrl, email, token }: Link): EmailText => ({
  to: email,
  subject: "Set a new password",
  text: `Open this link within an hour to set a new password. The link works once, and the new password logs you out on
all devices:

${linkTo(publicUrl, "reset-password", token)}

If you did not request this, ignore this email: your password is unchanged.
`,
});

export const accountExistsEmail = ({ publicUrl, email }: Omit<Link, "token">): EmailText => ({
  to: email,
  subject: "You already have an account",
  text: `Someone signed up with this address, which already has an account.

If it was you, log in with the password of that account, or set a new one:

${publicUrl}/log-in
${publicUrl}/forgot-password

If it was not you, ignore this message: your account is unchanged, and no one else can confirm your address.
`,
});

export const logInCodeEmail = ({ email, code }: { email: string; code: string }): EmailText => ({
  to: email,
  subject: "Your login code",
  text: `Your code is ${code}. It works once, for ten minutes, together with your password.

Logins to your account currently require a code because of too many failed attempts. If you did not just try to
log in, someone else knows your password: change it.
`,
});
