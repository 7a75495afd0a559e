/** Why a fetch stored nothing; the message is a sentence for the tenant, without the URL's path and query. */
export class FetchFailure extends Error {
  constructor(
    readonly code:
      | "address_not_allowed"
      | "connection_failed"
      | "credentials_unreadable"
      | "empty_feed"
      | "http_status"
      | "no_valid_products"
      | "not_a_feed"
      | "timeout"
      | "too_many_redirects"
      | "unexpected_redirect",
    message: string,
    /** The HTTP status of the response, if there was one. */
    readonly status: number | null = null,
  ) {
    super(message);
    this.name = "FetchFailure";
  }
}
