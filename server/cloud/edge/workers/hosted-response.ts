/** What svc sends at a host of its own, without code of a tenant. */
export type HostedResponse = HostedRedirect | HostedDocument;

/** The topic of hosted responses among what processes serve from memory; the keys are slugs. */
export const HOSTED_RESPONSES = "hosted_responses";

/** The response of a resource. */
export interface Hosted {
  /** That of the resource. */
  id: string;
  response: HostedResponse;
}

export interface HostedRedirect {
  type: "redirect";
  status: 301 | 302 | 307 | 308;
  /** An http or https URL. */
  target: string;
  /** The path of the request is added to that of the target. */
  keepsPath: boolean;
  /** The query of the request is added to that of the target. */
  keepsQuery: boolean;
}

export interface HostedDocument {
  type: "document";
  /** Shown as text: nothing of it is run or drawn as a page. */
  contentType: "text/markdown; charset=utf-8";
  text: string;
}

/** Where a redirect leads for a request. The path stays below that of the target, whatever dots the request has. */
export function locationOf({ target, keepsPath, keepsQuery }: HostedRedirect, requestTarget: string): string {
  const [location, asked] = [new URL(target), requestUrlOf(requestTarget)];
  if (keepsPath) location.pathname = `${location.pathname.replace(/\/+$/, "")}/${asked.pathname.replace(/^\/+/, "")}`;
  if (keepsQuery) location.search = [location.search.slice(1), asked.search.slice(1)].filter(Boolean).join("&");
  return location.href;
}

/** Without dots in its path. A target that begins with two slashes is a path too, not a host. */
function requestUrlOf(requestTarget: string): URL {
  const path = `/${requestTarget.replace(/^[/\\]+/, "")}`;
  return URL.canParse(path, "http://host.invalid")
    ? new URL(path, "http://host.invalid")
    : new URL("http://host.invalid");
}
