/** The text of widget.css, minified; the build puts it here. */
declare const WIDGET_CSS: string;

let shared: CSSStyleSheet | undefined;

/**
 * Dresses a shadow root with the one sheet that all slots share. The look takes the page's font; what a page wants
 * different it sets through `::part(...)` or the custom properties `--svc-background`, `--svc-text`, `--svc-muted`,
 * `--svc-line`, `--svc-accent`, `--svc-accent-text` and `--svc-radius`. Both palettes keep text at 4.5:1 or more (WCAG
 * 2.2 AA), and nothing moves, so there is no motion to reduce.
 *
 * A constructed sheet needs no `style-src`. All that a strict page has to allow, besides its own, is the script and
 * what it asks, both at the origin that serves it, and the brands' icons:
 * `Content-Security-Policy: script-src <svc>; connect-src <svc>; img-src https:`.
 * Throws in browsers without constructable sheets (Safari before 16.4).
 */
export function dress(root: ShadowRoot): void {
  if (!shared) {
    shared = new CSSStyleSheet();
    shared.replaceSync(WIDGET_CSS);
  }
  root.adoptedStyleSheets = [shared];
}
