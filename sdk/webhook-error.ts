/** Why a delivery was not accepted. */
export type WebhookVerificationCode =
  | "missing_header"
  | "malformed_header"
  | "too_old"
  | "too_new"
  | "no_match"
  | "malformed_body";

/** A delivery that must not be trusted: respond with 400. No message contains a secret, a signature or the body. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
