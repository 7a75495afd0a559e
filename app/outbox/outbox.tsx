"use client";

import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { Loaded } from "../components/loaded";
import { PageHeader } from "../components/page-header";
import { Card } from "../components/ui/card";
import { Empty } from "../components/ui/empty";
import { formatMoment } from "../format/dates";
import { type Outputs, useTRPC } from "../trpc/client";
import { splitLinks } from "./split-links";

type Letter = Outputs["outbox"]["list"][number];

const REFRESH_MS = 5000;

export function Outbox() {
  const trpc = useTRPC();
  const query = useQuery(trpc.outbox.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  return (
    <>
      <PageHeader
        back={{ href: "/dashboard", label: "Dashboard" }}
        title="Outbox"
        description="No mail leaves this machine; what would have been sent stands here, the newest first."
      />
      <Loaded query={query}>
        {(letters) =>
          letters.length === 0 ? (
            <Empty icon={Inbox} title="No letters yet">
              Confirmations, password links and invitations will appear here.
            </Empty>
          ) : (
            <ul className="space-y-4">
              {letters.map((letter) => (
                <li key={letter.id}>
                  <LetterCard letter={letter} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

const LetterCard = ({ letter: { to, subject, text, createdAt } }: { letter: Letter }) => (
  <Card className="p-5">
    <h2 className="font-semibold">{subject}</h2>
    <p className="mt-0.5 break-all text-muted-foreground text-sm">
      to {to}, {formatMoment(createdAt)}
    </p>
    <p className="mt-4 whitespace-pre-wrap break-words text-sm leading-6">
      {splitLinks(text).map(({ at, text, isLink }) =>
        isLink ? (
          <a key={at} href={text} className="break-all text-primary underline underline-offset-4">
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </p>
  </Card>
);
