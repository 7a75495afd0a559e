const SCRIPT = "/docs/assets/reference.js";

/** Maps Scalar's colours to ours, places it below our header, and hides what a reference does not need. */
const THEME_CSS = `.light-mode, .dark-mode {
  --scalar-custom-header-height: 3.5rem;
  --scalar-font: var(--font-sans);
  --scalar-font-code: var(--font-mono);
  --scalar-color-1: var(--foreground);
  --scalar-color-2: var(--muted-foreground);
  --scalar-color-3: var(--muted-foreground);
  --scalar-color-accent: var(--primary);
  --scalar-background-1: var(--background);
  --scalar-background-2: var(--muted);
  --scalar-background-3: var(--accent);
  --scalar-background-accent: var(--accent);
  --scalar-border-color: var(--border);
  --scalar-button-1: var(--primary);
  --scalar-button-1-hover: var(--primary);
  --scalar-button-1-color: var(--primary-foreground);
  --scalar-color-green: var(--success-foreground);
  --scalar-color-blue: var(--primary);
  --scalar-color-red: var(--destructive);
  --scalar-color-orange: var(--warning-foreground);
  --scalar-color-yellow: var(--warning-foreground);
  --scalar-color-purple: var(--accent-foreground);
  --scalar-sidebar-background-1: var(--sidebar);
  --scalar-sidebar-color-1: var(--foreground);
  --scalar-sidebar-color-2: var(--muted-foreground);
  --scalar-sidebar-border-color: var(--border);
  --scalar-sidebar-search-color: var(--muted-foreground);
}
body .scalar-app .section { padding-block: 3rem; }
body .scalar-app .show-more { top: -1.5rem; }
/* No scrolling region without keyboard access, no button without a name. */
body .scalar-app .endpoints-card :is(.scalar-card-content, .endpoints) { max-height: none; overflow: visible; }
body .scalar-app .endpoint-path { overflow-wrap: anywhere; }
body .scalar-app .scalar-code-copy .sr-only > .hidden { display: inline; }
/* Scalar's own link, its illustration, and the name of a header that the API fixes. */
body .scalar-app :is(.darklight-reference, .ascii-art, tr:has([data-placeholder="api-key"])) { display: none; }`;

/** A reference on a page. */
export interface MountedReference {
  destroy: () => void;
}

export interface Scalar {
  createApiReference: (place: HTMLElement, configuration: object) => MountedReference;
}

interface ScalarOptions {
  /** Of the OpenAPI document. */
  url: string;
  /** The security scheme that is selected initially. */
  scheme: string;
  keys: { platform: string; channel: string };
  isDark: boolean;
}

/** No external fonts, proxy, telemetry or assistant: only our API is called, and keys stay in memory. */
export const scalarConfiguration = ({ url, scheme, keys, isDark }: ScalarOptions) => ({
  url,
  theme: "none",
  layout: "modern",
  showSidebar: true,
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideDarkModeToggle: true,
  forceDarkModeState: isDark ? "dark" : "light",
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "none",
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  customCss: THEME_CSS,
  // Accessible names begin with this text.
  localization: { locale: "en", translations: { actions: { showMore: "Show all" } } },
  authentication: {
    preferredSecurityScheme: scheme,
    securitySchemes: { bearer: { token: keys.platform }, channelKey: { value: keys.channel } },
  },
});

/** Scalar reads its colour mode once and resets it when the system's changes; this forces ours until the returned function is called. */
export function forceColorMode(mode: "light" | "dark"): () => void {
  const show = (shown: string | undefined) => {
    for (const each of ["light", "dark"]) document.body.classList.toggle(`${each}-mode`, each === shown);
  };
  const observer = new MutationObserver(() => show(mode));
  observer.observe(document.body, { attributeFilter: ["class"] });
  show(mode);
  return () => {
    observer.disconnect();
    show(undefined);
  };
}

let loading: Promise<Scalar> | undefined;

/** The script defines `window.Scalar`; it is loaded once per visit. */
export function loadScalar(): Promise<Scalar> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.onload = () => resolve((window as unknown as { Scalar: Scalar }).Scalar);
    script.onerror = () => {
      loading = undefined;
      script.remove();
      reject(new Error("The script of the API reference failed to load."));
    };
    document.head.append(script);
  });
  return loading;
}
