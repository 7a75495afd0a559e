import type { Letter } from "../../engines/mail/mail";

interface Link {
  publicUrl: string;
  email: string;
  token: string;
}

export const linkTo = (publicUrl: string, page: string, token: string): string => `${publicUrl}/${page}?token=${token}`;

export const verificationLetter = ({ publicUrl, email, token }: Link): Letter => ({
  to: email,
  subject: "Confirm your email address",
  text: `Open this link within 24 hours to confirm that this address is yours:

${linkTo(publicUrl, "verify-email", token)}

If you did not create an account, ignore this letter.
`,
});

export const passwordResetLetter = ({ publicUrl, email, token }: Link): Letter => ({
  to: email,
  subject: "Set a new password",
  text: `Open this link within an hour to set a new password. It works once and ends every session:

${linkTo(publicUrl, "reset-password", token)}

If you did not ask for it, ignore this letter: your password stays as it is.
`,
});
