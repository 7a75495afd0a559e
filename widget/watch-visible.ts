const LARGE_PX = 242_500;
const VIEW_MS = 1_000;

/**
 * Calls `onSeen` once, after the element was viewable by the MRC rule (Viewable Ad Impression Measurement Guidelines
 * 2.0): at least 50 % of its pixels, 30 % from 242,500 CSS pixels on, inside the viewport of a visible tab for one
 * continuous second. Leaving the viewport, hiding the tab, and something that covers what was seen uncovered before
 * (IntersectionObserver v2, where there is one) start the second anew. Returns what stops the watch.
 */
export function watchVisible(element: Element, onSeen: () => void): () => void {
  let enough = false;
  let uncovered: boolean | undefined;
  let inView = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restart = (): void => {
    clearTimeout(timer);
    timer = inView && !document.hidden ? setTimeout(finish, VIEW_MS) : undefined;
  };
  // Every entry in turn, not the last one: a busy page may learn of "left" and "came back" together.
  const update = (entries: Entry[], observer: IntersectionObserver): void => {
    for (const entry of entries) {
      if (observer === sight) enough = isEnough(entry);
      // What v2 never called visible it may be wrong about: then v1 alone counts.
      else if (entry.isVisible || uncovered) uncovered = entry.isVisible || !entry.isIntersecting;
      const was = inView;
      inView = enough && uncovered !== false;
      if (inView !== was) restart();
    }
  };
  const finish = (): void => {
    timer = undefined;
    // What was measured but not yet delivered counts, and may have started a new second.
    for (const observer of [sight, cover]) update(observer.takeRecords(), observer);
    if (timer || !inView) return;
    // Not under `visibility: hidden` or `opacity: 0`, where the browser can tell.
    if (element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false) {
      restart();
      return;
    }
    stop();
    onSeen();
  };
  const stop = (): void => {
    clearTimeout(timer);
    sight.disconnect();
    cover.disconnect();
    document.removeEventListener("visibilitychange", restart);
  };

  const sight = new IntersectionObserver(update, { threshold: [0.3, 0.5] });
  // It may take 100 ms to notice, too long for what has left the viewport, so it stands beside the other.
  const cover = new IntersectionObserver(update, { trackVisibility: true, delay: 100 } as IntersectionObserverInit);
  sight.observe(element);
  cover.observe(element);
  document.addEventListener("visibilitychange", restart);
  return stop;
}

/** `isVisible` is version 2: nothing lies over the element, and nothing makes it translucent or distorts it. */
type Entry = IntersectionObserverEntry & { isVisible?: boolean };

function isEnough(entry: IntersectionObserverEntry): boolean {
  const { width, height } = entry.boundingClientRect;
  const pixels = width * height;
  return pixels > 0 && entry.intersectionRatio >= (pixels >= LARGE_PX ? 0.3 : 0.5);
}
