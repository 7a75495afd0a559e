import type { ReactNode } from "react";
import { Card } from "../components/ui/card";

interface AuthCardProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Links to related pages, below the card. */
  footer?: ReactNode;
}

export const AuthCard = ({ title, description, children, footer }: AuthCardProps) => (
  <>
    <Card className="space-y-6 p-6 sm:p-8">
      <div className="space-y-1.5">
        <h1 className="font-semibold text-2xl">{title}</h1>
        {description && <p className="text-muted-foreground text-sm">{description}</p>}
      </div>
      {children}
    </Card>
    {footer && <p className="mt-5 text-center text-muted-foreground text-sm">{footer}</p>}
  </>
);

export const LINK_STYLE = "font-medium text-primary underline underline-offset-4 hover:no-underline";
