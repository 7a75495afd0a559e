const LIGHT = "--bg:#fff;--fg:#1b1f24;--dim:#59636e;--line:#d9dee4;--cta:#1b1f24;--on:#fff;--cut:#a3262a";
const DARK = "--bg:#171b20;--fg:#eef1f4;--dim:#a3adb8;--line:#343b44;--cta:#eef1f4;--on:#14181c;--cut:#ff9a94";

/**
 * The widget's look: it takes the page's font, and what a page wants different it sets through `::part(...)` or the
 * custom properties `--svc-background`, `--svc-text`, `--svc-muted`, `--svc-line`, `--svc-accent`,
 * `--svc-accent-text` and `--svc-radius`. Both palettes keep text at 4.5:1 or more (WCAG 2.2 AA).
 */
const CSS = `
:host{display:block;${LIGHT};color-scheme:light}
:host([data-theme=dark]){${DARK};color-scheme:dark}
@media(prefers-color-scheme:dark){:host(:not([data-theme=light])){${DARK};color-scheme:dark}}
*{box-sizing:border-box;margin:0;padding:0}
ul{display:grid;gap:12px;grid-template-columns:repeat(auto-fit,minmax(min(100%,220px),1fr));list-style:none}
li{display:flex;flex-direction:column;gap:8px;padding:16px;min-width:0;font-size:.9375em;line-height:1.45;text-align:start;overflow-wrap:anywhere;
color:var(--svc-text,var(--fg));background:var(--svc-background,var(--bg));border:1px solid var(--svc-line,var(--line));border-radius:var(--svc-radius,10px)}
.top{display:flex;align-items:center;gap:8px;min-height:28px;font-size:.8125rem;color:var(--svc-muted,var(--dim))}
.top b{order:3;margin-inline-start:auto;font-weight:500;padding:1px 6px;border:1px solid;border-radius:4px;font-size:.6875rem;white-space:nowrap}
.top span,.title,.content{unicode-bidi:isolate;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.top span{-webkit-line-clamp:1}
img{flex:none;width:28px;height:28px;border-radius:6px;object-fit:contain;background:#fff}
.title{font-weight:600;font-size:1.0625em;line-height:1.3}
.content{color:var(--svc-muted,var(--dim));-webkit-line-clamp:3}
.facts{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 10px;font-variant-numeric:tabular-nums}
.price{font-weight:600}
s,.rating{color:var(--svc-muted,var(--dim))}
.cut{color:var(--cut);font-weight:600}
a{margin-top:auto;align-self:flex-start;max-width:100%;padding:8px 14px;border-radius:calc(var(--svc-radius,10px)*.7);font-weight:600;text-decoration:none;
color:var(--svc-accent-text,var(--on));background:var(--svc-accent,var(--cta))}
a:hover{text-decoration:underline}
a:focus-visible{outline:2px solid var(--svc-accent,var(--cta));outline-offset:2px}
.hush{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;

let shared: CSSStyleSheet | undefined;

/** Dresses a shadow root. A constructed sheet is exempt from `style-src`; browsers without them get a style element. */
export function dress(root: ShadowRoot): void {
  try {
    if (!shared) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(CSS);
      shared = sheet;
    }
    root.adoptedStyleSheets = [shared];
  } catch {
    const style = document.createElement("style");
    style.textContent = CSS;
    root.append(style);
  }
}
