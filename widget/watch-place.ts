/** Pages set title and text shortly after the address. */
const SETTLED_MS = 200;

/** The address of the page; a part of it that only says where to scroll to is left out. */
export function currentPlace(): string {
  return location.href.replace(/#(?![/!]).*/, "");
}

/** Calls `onSettled` shortly after the page changed its address by the history API, or the reader went back or forward. */
export function watchPlace(onSettled: () => void): void {
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
