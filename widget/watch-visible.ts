const LARGE_PX = 242_500;
const VIEW_MS = 1_000;

/**
 * Calls `onSeen` once, after the element was viewable by the MRC rule (Viewable Ad Impression Measurement Guidelines
 * 2.0): at least 50 % of its pixels, 30 % from 242,500 CSS pixels on, inside the viewport of a visible tab for one
 * continuous second. Leaving the viewport or hiding the tab starts the second anew. Returns what stops the watch.
 */
export function watchVisible(element: Element, onSeen: () => void): () => void {
  let inView = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restart = (): void => {
    clearTimeout(timer);
    timer = inView && !document.hidden ? setTimeout(finish, VIEW_MS) : undefined;
  };
  // Every entry in turn, not the last one: a busy page may learn of "left" and "came back" together.
  const update = (entries: IntersectionObserverEntry[]): void => {
    for (const entry of entries) {
      const was = inView;
      inView = enough(entry);
      if (inView !== was) restart();
    }
  };
  const finish = (): void => {
    timer = undefined;
    // What was measured but not yet delivered counts, and may have started a new second.
    update(observer.takeRecords());
    if (timer || !inView) return;
    if (painted(element)) {
      stop();
      onSeen();
    } else restart();
  };
  const stop = (): void => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", restart);
  };

  const observer = new IntersectionObserver(update, { threshold: [0, 0.3, 0.5] });
  observer.observe(element);
  document.addEventListener("visibilitychange", restart);
  return stop;
}

function enough(entry: IntersectionObserverEntry): boolean {
  const { width, height } = entry.boundingClientRect;
  const pixels = width * height;
  return entry.isIntersecting && pixels > 0 && entry.intersectionRatio >= (pixels >= LARGE_PX ? 0.3 : 0.5);
}

/** Not under `visibility: hidden` or `opacity: 0`, where the browser can tell. */
function painted(element: Element): boolean {
  return !element.checkVisibility || element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}
