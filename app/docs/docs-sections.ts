/** The pages of the documentation, in reading order. */
export const DOCS_SECTIONS = [
  {
    label: "Start",
    places: [
      { href: "/docs", label: "Overview" },
      { href: "/docs/tour", label: "Tour" },
      { href: "/docs/publishers", label: "For publishers" },
      { href: "/docs/advertisers", label: "For advertisers" },
      { href: "/docs/api-clients", label: "For API clients" },
      { href: "/docs/operators", label: "For operators" },
    ],
  },
  {
    label: "Concepts",
    places: [
      { href: "/docs/keys", label: "Keys, scopes and modes" },
      { href: "/docs/errors", label: "Errors and retries" },
      { href: "/docs/limits", label: "Limits and pages" },
      { href: "/docs/feeds", label: "Product feeds" },
      { href: "/docs/pricing", label: "Ranking and prices" },
      { href: "/docs/statements", label: "Balance and statements" },
      { href: "/docs/webhooks", label: "Webhooks" },
      { href: "/docs/events", label: "Events" },
      { href: "/docs/pods", label: "Pods" },
      { href: "/docs/sandboxes", label: "Sandboxes" },
      { href: "/docs/workspaces", label: "Workspaces" },
      { href: "/docs/resources", label: "Resources and instances" },
      { href: "/docs/reservations", label: "Reservations" },
      { href: "/docs/functions", label: "Functions" },
      { href: "/docs/edge", label: "Edge functions" },
      { href: "/docs/queues", label: "Queues" },
      { href: "/docs/storage", label: "Object storage" },
      { href: "/docs/secrets", label: "Secrets" },
      { href: "/docs/shield", label: "Shield scans" },
      { href: "/docs/chat", label: "Chat gateway" },
      { href: "/docs/agents", label: "Agents" },
      { href: "/docs/billing", label: "Usage and invoices" },
    ],
  },
  {
    label: "Reference",
    places: [
      { href: "/docs/reference/platform", label: "Platform API" },
      { href: "/docs/reference/offers", label: "Offers API" },
    ],
  },
  {
    label: "Running svc",
    places: [
      { href: "/docs/configuration", label: "Configuration" },
      { href: "/docs/production", label: "Production" },
      { href: "/docs/security", label: "Security" },
    ],
  },
] as const;
