import { ArrowRight } from "lucide-react";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { surfaces } from "../server/surfaces";
import { Brand } from "./components/brand";
import { ThemeSwitch } from "./components/theme-switch";
import { Button } from "./components/ui/button";
import { Link } from "./components/ui/link";
import { SampleOffer } from "./sample-offer";

/** What svc is, in one screen, and every door into it. */
export default async function LandingPage() {
  const { session, signUpMode, publicUrl } = surfaces();
  const isLoggedIn = (await session(await headers())) !== undefined;
  const isOpen = (await signUpMode()) === "open";
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 sm:px-8">
      <header className="flex items-center justify-between gap-3 py-4">
        <Brand />
        <nav aria-label="Account" className="flex items-center gap-1.5">
          <ThemeSwitch />
          <Button asChild variant={isLoggedIn ? "primary" : "ghost"}>
            <Link href={isLoggedIn ? "/dashboard" : "/log-in"}>{isLoggedIn ? "Dashboard" : "Log in"}</Link>
          </Button>
          {!isLoggedIn && isOpen && (
            <Button asChild>
              <Link href="/sign-up">Sign up</Link>
            </Button>
          )}
        </nav>
      </header>
      <main className="flex-1 pb-16">
        <section className="grid items-center gap-10 py-12 sm:py-20 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
          <div className="space-y-6">
            <h1 className="font-semibold text-4xl leading-tight sm:text-5xl">
              Offers that match what people are reading
            </h1>
            <p className="max-w-xl text-lg text-muted-foreground">
              Request offers by API, or paste a script tag. svc matches them to the query, counts an impression only
              when it was actually visible, and accounts for every cent.
            </p>
            <div className="flex flex-wrap gap-3">
              <Button asChild size="lg">
                <Link href={isLoggedIn ? "/dashboard" : "/sign-up"}>
                  {isLoggedIn ? "Open the dashboard" : "Create an account"}
                  <ArrowRight aria-hidden />
                </Link>
              </Button>
              <Button asChild size="lg" variant="outline">
                <Link href="/demo">See the live demo</Link>
              </Button>
            </div>
          </div>
          <SampleOffer publicUrl={publicUrl} />
        </section>
        <Facts />
        <ReferenceLinks />
      </main>
      <footer className="border-t py-6 text-muted-foreground text-sm">
        svc runs on one machine with <code className="font-mono text-xs">npm start</code>. Offers and the first cloud
        services are live: queues, object storage, secrets and a chat gateway. The GPU cloud on the same account is
        being built.
      </footer>
    </div>
  );
}

const Facts = () => (
  <section aria-labelledby="facts" className="border-t py-12">
    <h2 id="facts" className="sr-only">
      How it works
    </h2>
    <dl className="grid gap-8 sm:grid-cols-3">
      <Fact title="Contextual, not creepy">
        Matching reads the query and the page. Global Privacy Control and consent strings are honoured; no user data is
        needed.
      </Fact>
      <Fact title="Counted when seen">
        Half of an offer, visible for one second: the MRC rule. Repeats, late and rate-limited events and those over
        budget are not charged and are reported separately.
      </Fact>
      <Fact title="Exact to the cent">
        Budgets are debited in the same transaction as the click, so a campaign cannot overspend, and reports add up.
      </Fact>
    </dl>
  </section>
);

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="space-y-2">
    <dt className="font-semibold">{title}</dt>
    <dd className="text-muted-foreground text-sm leading-6">{children}</dd>
  </div>
);

const REFERENCES = [
  { href: "/docs", title: "Documentation", text: "Quick starts whose examples run with your own key." },
  { href: "/docs/reference/offers", title: "Offers API", text: "Request offers, report impressions and signals." },
  { href: "/docs/reference/platform", title: "Platform API", text: "Keys, campaigns, reports, queues, storage, chat." },
];

const ReferenceLinks = () => (
  <section aria-labelledby="reference" className="border-t py-12">
    <h2 id="reference" className="mb-5 font-semibold text-xl">
      Reference
    </h2>
    <ul className="grid gap-4 sm:grid-cols-3">
      {REFERENCES.map(({ href, title, text }) => (
        <li key={href}>
          <a href={href} className="block rounded-xl border bg-card p-5 transition-colors hover:border-primary">
            <span className="font-semibold">{title}</span>
            <span className="mt-1 block text-muted-foreground text-sm">{text}</span>
            <span className="mt-3 block font-mono text-primary text-xs">{href}</span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);
