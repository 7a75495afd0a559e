/** The text of widget.css, minified; the build puts it here. */
declare const WIDGET_CSS: string;

let shared: CSSStyleSheet | undefined;

/**
 * Applies the style sheet, which all slots share, to a shadow root. Offers inherit the page's font; pages customize them with `::part(...)` or the custom properties `--svc-background`, `--svc-text`, `--svc-muted`,
 * `--svc-line`, `--svc-accent`, `--svc-accent-text` and `--svc-radius`. Both palettes keep text at 4.5:1 or more (WCAG
 * 2.2 AA), and nothing moves, so there is no motion to reduce.
 *
 * A constructed sheet needs no `style-src`. A page with a strict policy must allow only the script and its requests, both at the script's origin, and the brands' icons:
 * `Content-Security-Policy: script-src <svc>; connect-src <svc>; img-src https:`.
 * Throws in browsers without constructable sheets (Safari before 16.4).
 */
export function applyStyles(root: ShadowRoot): void {
  if (!shared) {
    shared = new CSSStyleSheet();
    shared.replaceSync(WIDGET_CSS);
  }
  root.adoptedStyleSheets = [shared];
}
