/** Single-page apps update title and text shortly after the URL. */
const SETTLED_MS = 200;

/** The page's URL without a plain anchor. */
export function currentUrl(): string {
  return location.href.replace(/#(?![/!]).*/, "");
}

/** Calls `onSettled` shortly after the URL changes by the history API or by back and forward. */
export function watchUrl(onSettled: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moved = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onSettled, SETTLED_MS);
  };
  for (const name of ["pushState", "replaceState"] as const) {
    const original = history[name];
    history[name] = function (...call) {
      original.apply(this, call);
      moved();
    };
  }
  addEventListener("popstate", moved);
}
