import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Service } from "./service";
import { ServiceLists } from "./service-grid";

const ACTIVATION = { plan_tier: "free" } as never;

it("folds the services of a plane that are only planned, below those that can be used or are used", () => {
  const service = (name: string, { provisionable = false } = {}) =>
    ({ plane: "edge", service: name, provisionable, activation: { plane: "edge", service: name } }) as Service;
  const services = [
    service("dns"),
    service("cdn", { provisionable: true }),
    service("waf"),
    service("ssl"),
    service("pages"),
  ];
  const use = {
    activations: [Object.assign({}, ACTIVATION, { plane: "edge", service: "waf" })],
    resources: [{ plane: "edge", service: "pages" } as const],
  };
  const html = renderToStaticMarkup(
    <ServiceLists services={services} use={use} card={(one) => <li key={one.service}>{one.service}</li>} />,
  );
  const [shown = "", folded = ""] = html.split("<details>");
  const namesIn = (part: string) => [...part.matchAll(/<li>(\w+)<\/li>/g)].map(([, name]) => name);
  expect(namesIn(shown)).toEqual(["cdn", "waf", "pages"]);
  expect(namesIn(folded)).toEqual(["dns", "ssl"]);
  expect(folded).toContain("2 planned services");
  expect(
    renderToStaticMarkup(<ServiceLists services={services.slice(1, 3)} use={use} card={() => null} />),
  ).not.toMatch("<details");
});
