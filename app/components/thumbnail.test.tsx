import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { BrandMark } from "./brand-mark";
import { Thumbnail } from "./thumbnail";

const shown = (src: string | null) => renderToStaticMarkup(<Thumbnail src={src} name="Ridgeline & Pike" />);

it("shows an https picture, as decoration and without a referrer", () => {
  const html = shown("https://cdn.example/1.jpg");
  for (const part of ['src="https://cdn.example/1.jpg"', 'alt=""', 'loading="lazy"', 'referrerPolicy="no-referrer"'])
    expect(html).toContain(part);
});

it.each([null, "http://cdn.example/1.jpg", "javascript:alert(1)", "data:image/png;base64,AA"])(
  "shows the mark of the brand instead of %j",
  (src) => {
    expect(shown(src)).not.toContain("<img");
    expect(shown(src)).toContain('data-initials="RP"');
  },
);

it("keeps the mark out of what is read, copied and searched", () => {
  const html = renderToStaticMarkup(<BrandMark name={'"><img src=x>'} />);
  expect(html).toMatch(/^<span aria-hidden="true" data-initials="IS"[^>]*><\/span>$/);
});
