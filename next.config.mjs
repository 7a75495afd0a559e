import { REDIRECTS } from "./app/redirects.mjs";

const SECURITY_HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

/** @type {import("next").NextConfig} The Content-Security-Policy carries a nonce, so proxy.ts sets it. */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // Loading every page before the first request makes a start half a second longer.
  experimental: { preloadEntriesOnStart: false },
  // `npm run verify` checks the types of the whole project in one pass.
  typescript: { ignoreBuildErrors: true },
  // Native code cannot be bundled; the server's process loads it.
  serverExternalPackages: ["chdb", "ffi-rs", "@node-rs/argon2", "pg", "@prisma/client", "esbuild"],
  redirects: async () => REDIRECTS,
  // For pages: the APIs say what they mean themselves, and this would be written over it.
  headers: async () => [{ source: "/((?!api/|v1/).*)", headers: SECURITY_HEADERS }],
};
