import { Braces } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cn } from "../../../components/ui/cn";
import { Link } from "../../../components/ui/link";
import { Reference } from "../reference";

const APIS = {
  platform: { title: "Platform API", url: "/v1/openapi.json", scheme: "bearer" },
  offers: { title: "Offers API", url: "/api/v1/openapi.json", scheme: "channelKey" },
} as const;

interface Props {
  params: Promise<{ api: string }>;
}

const apiOf = async (params: Props["params"]) => {
  const { api } = await params;
  return Object.hasOwn(APIS, api) ? APIS[api as keyof typeof APIS] : undefined;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await apiOf(params))?.title ?? "Reference" };
}

export default async function ReferencePage({ params }: Props) {
  const api = await apiOf(params);
  if (!api) notFound();
  const { title, url, scheme } = api;
  return (
    <>
      <section
        aria-labelledby="reference"
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-2 text-sm sm:px-8"
      >
        <h1 id="reference" className="sr-only">
          {title}: reference
        </h1>
        <nav aria-label="References" className="-ml-2.5 flex gap-1">
          {Object.entries(APIS).map(([name, each]) => (
            <Link
              key={name}
              href={`/docs/reference/${name}`}
              aria-current={each === api ? "page" : undefined}
              className={cn(
                "rounded-md px-2.5 py-1.5 transition-colors hover:bg-accent",
                each === api ? "bg-accent font-medium text-accent-foreground" : "text-foreground/85",
              )}
            >
              {each.title}
            </Link>
          ))}
        </nav>
        <a href={url} className="flex items-center gap-1.5 rounded-md text-muted-foreground hover:text-foreground">
          <Braces aria-hidden className="size-4" />
          OpenAPI 3.1
        </a>
      </section>
      <Reference key={url} url={url} scheme={scheme} />
    </>
  );
}
