import type { EmailText } from "../../../engines/mail/mail";

interface Crossed {
  to: string;
  publicUrl: string;
  month: string;
  mode: string;
  percent: number;
  /** With their currency. */
  spent: string;
  amount: string;
}

/** Tells an owner that a percentage of the budget is used. */
export const budgetEmail = ({ to, publicUrl, month, mode, percent, spent, amount }: Crossed): EmailText => ({
  to,
  subject: `${percent} % of the ${mode} budget of ${month} is used`,
  text: `Usage in ${mode} mode has cost ${spent} in ${month}, which is at least ${percent} % of the budget of ${amount}.
${mode === "test" ? "\nThis is simulated: nothing is charged in test mode.\n" : ""}
Nothing was stopped. What is used, and the budget:

${publicUrl}/cloud/usage
`,
});
