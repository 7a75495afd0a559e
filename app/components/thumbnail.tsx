import { useState, useSyncExternalStore } from "react";
import { BrandMark } from "./brand-mark";
import { pictureUrl } from "./picture-url";
import { cn } from "./ui/cn";

interface ThumbnailProps {
  /** What a user entered as the URL of the picture. */
  src: string | null | undefined;
  /** The brand whose mark is shown if there is no picture, or it cannot be shown. */
  name: string;
  /** Its size; default: 2 rem. */
  className?: string | undefined;
}

/** A small square picture for the title beside it. Its server learns the viewer's address, but neither page nor cookies of svc. */
export function Thumbnail({ src, name, className }: ThumbnailProps) {
  const origin = useSyncExternalStore(neverChanges, ownOrigin, noOrigin);
  const [failed, setFailed] = useState<string>();
  const url = pictureUrl(src, origin);
  if (url === undefined || url === failed) return <BrandMark name={name} className={className} />;
  return (
    // biome-ignore lint/performance/noImgElement: next/image would have this server fetch what a user named.
    <img
      key={url}
      src={url}
      alt=""
      width={32}
      height={32}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailed(url)}
      className={cn("size-8 shrink-0 rounded-md border bg-white object-contain", className)}
    />
  );
}

const neverChanges = () => () => undefined;
const ownOrigin = () => window.location.origin;
/** The server does not know it; the first render in the browser has to be the same. */
const noOrigin = () => "";
