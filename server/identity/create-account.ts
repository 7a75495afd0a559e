import type { Logger } from "pino";
import { createMail } from "../engines/mail/mail";
import type { Engines } from "../engines/start-engines";
import type { Clock } from "../kernel/clock";
import { deriveKey } from "../kernel/secrets";
import type { QuotaDefinition } from "../operation/quota";
import type { AccountCtx } from "./identity-ctx";
import { createLucia } from "./sessions/create-lucia";
import { createSignUpModeReader, type SignUpMode } from "./sign-up/sign-up-mode";
import { createHasher } from "./users/hasher";

interface AccountConfig {
  publicUrl: string;
  isLoopback: boolean;
  /** The default for who may sign up; an operator's setting overrides it. */
  signup: SignUpMode;
  smtpUrl?: string | undefined;
}

interface AccountParts {
  engines: Pick<Engines, "db" | "counters" | "secret">;
  clock: Clock;
  log: Logger;
  quotas: readonly QuotaDefinition[];
}

/** Creates the parts of the account system. The caller closes `signUpMode` at the end. */
export async function createAccount(
  config: AccountConfig,
  { engines, clock, log, quotas }: AccountParts,
): Promise<AccountCtx> {
  const { db, counters, secret } = engines;
  const { publicUrl, signup, isLoopback, smtpUrl } = config;
  const mail = createMail({
    db,
    clock,
    from: `svc <no-reply@${new URL(publicUrl).hostname}>`,
    isLoopback,
    ...(smtpUrl ? { smtpUrl } : {}),
  });
  if (mail.delivery === "none")
    log.warn("SMTP_URL is not set: no email is sent; create links with npm run svc -- admin");
  return {
    db,
    clock,
    counters,
    mail,
    publicUrl,
    quotas,
    addressKey: deriveKey(secret, "address"),
    jwtKey: deriveKey(secret, "jwt"),
    logInKey: deriveKey(secret, "log_in"),
    signUpMode: await createSignUpModeReader({ db, clock, counters, configured: signup }),
    hasher: await createHasher(),
    lucia: createLucia({ db, clock, publicUrl }),
  };
}
