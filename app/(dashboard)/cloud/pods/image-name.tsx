import { Fragment } from "react";

/** An image, broken at slashes where there is no room for it. */
export const ImageName = ({ image }: { image: string }) => (
  <span className="break-words font-mono text-xs">
    {image.split("/").map((part, at, { length }) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts can be equal, and do not change.
      <Fragment key={at}>
        {part}
        {at < length - 1 && (
          <>
            /<wbr />
          </>
        )}
      </Fragment>
    ))}
  </span>
);
