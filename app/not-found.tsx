import { Brand } from "./components/brand";
import { Button } from "./components/ui/button";
import { Link } from "./components/ui/link";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="max-w-md space-y-4 text-center">
        <Brand />
        <h1 className="font-semibold text-2xl">Page not found</h1>
        <p className="text-muted-foreground">The address may be mistyped, or the page may have been removed.</p>
        <Button asChild>
          <Link href="/dashboard">Go to the dashboard</Link>
        </Button>
      </div>
    </main>
  );
}
