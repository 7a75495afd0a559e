import type { Metadata } from "next";
import { notFound } from "next/navigation";
import styles from "./landing.module.css";

interface LandingProps {
  params: Promise<{ slug: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const CLICK_ID = "svc_click_id";

export async function generateMetadata({ params }: LandingProps): Promise<Metadata> {
  return { title: { absolute: `${productName((await params).slug)} (demo landing page)` } };
}

/** Where clicks on demo offers end: the advertiser's shop, invented, with the click id that a real shop would keep. */
export default async function DemoLandingPage({ params, searchParams }: LandingProps) {
  const name = productName((await params).slug);
  const clickId = (await searchParams)[CLICK_ID];
  return (
    <div className={styles.shop}>
      <header className={styles.banner}>Demo landing page. The shop is invented and sells nothing.</header>
      <main className={styles.main}>
        <div className={styles.picture} aria-hidden="true">
          {name.charAt(0)}
        </div>
        <div>
          <h1 className={styles.title}>{name}</h1>
          <p className={styles.text}>In stock. Leaves the warehouse within a day, comes back free within thirty.</p>
          <ul className={styles.facts}>
            <li>Two-year warranty, parts kept for ten</li>
            <li>Card, transfer or invoice</li>
            <li>Questions answered by people, weekdays from 9 to 5</li>
          </ul>
          <section className={styles.click} aria-labelledby="click-title">
            <h2 id="click-title" className={styles.clickTitle}>
              How you got here
            </h2>
            {typeof clickId === "string" ? (
              <>
                <p>
                  By a counted click on an offer. The advertiser keeps this click id and sends it back with a sale, so
                  that the sale finds its campaign:
                </p>
                <code className={styles.clickId}>{clickId}</code>
              </>
            ) : (
              <p>
                Without a click id: the address was opened directly, or the click was one that does not count. A counted
                click arrives with <code>{CLICK_ID}</code> in the address.
              </p>
            )}
          </section>
          <a className={styles.back} href="/demo">
            Back to the magazine
          </a>
        </div>
      </main>
    </div>
  );
}

/** `trail-shoe-2` -> `Trail shoe`: the number distinguishes links of one shop. Other slugs have no page. */
function productName(slug: string): string {
  if (!/^[a-z0-9-]{1,80}$/i.test(slug)) notFound();
  const words = slug.replace(/-\d+$/, "").split("-").filter(Boolean).join(" ");
  if (!words) notFound();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
