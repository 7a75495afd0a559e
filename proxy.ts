import { type NextRequest, NextResponse } from "next/server";

/** Gives each page a Content-Security-Policy whose nonce only its own inline scripts know. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  // biome-ignore lint/style/noProcessEnv: Next writes this constant into the bundle; no configuration reaches a proxy.
  const policy = policyOf(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set("x-path", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

export const config = {
  matcher: [{ source: "/((?!api/|v1/|_next/static|_next/image|favicon.ico|icon.svg).*)" }],
};

/** React rebuilds server stacks with eval in development; plots and toasts set inline styles, scripts never. */
function policyOf(nonce: string, dev: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    `connect-src 'self'${dev ? " ws: wss:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
