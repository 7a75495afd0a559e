import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runtimeScene } from "../../../test/factories/runtime-scene";
import { waitFor } from "../../../test/factories/wait-for";

const scene = await runtimeScene();
const why = typeof scene === "string" ? scene : process.getuid?.() === 0 ? "" : "an ordinary user has one id to give";
const FOREVER = "while :; do sleep 0.05; done";

describe.skipIf(why !== "")(`the users of workloads${why && ` (skipped: ${why})`}`, () => {
  if (typeof scene === "string") return;
  const { runtime, script, output, exited, close, dataDir } = scene;
  afterAll(close);
  const said = (id: string, text: string) =>
    waitFor(async () => expect(await output(id)).toContain(text), { interval: 10 });
  const firstIds = async (id: string) => Number(/ 0 +(\d+) +65536\n/.exec(await output(id))?.[1]);

  it("A and B have no user of the machine in common, nor one of svc, and share a volume as the same user", async () => {
    await runtime.volumes?.make("shared", { bytes: 16 * 1024 ** 2 });
    const volumes = [{ id: "shared", path: "/shared" }];
    const own = "cat /proc/self/uid_map; mkdir /shared/$0 /own; ls -lnd /bin /own /shared/*";
    const print = (id: string) => ({ command: ["/bin/sh", "-c", `${own}; echo more >> /shared/text; ${FOREVER}`, id] });
    await runtime.ensure(script("a", "", { ...print("a"), volumes }));
    await said("a", "/shared/a");
    await runtime.ensure(script("b", "", { ...print("b"), volumes }));
    await said("b", "/shared/b");
    for (const id of ["a", "b"]) {
      // Files of the image, of the disk and of the volume, no matter who made them.
      expect((await output(id)).match(/ 0 +0 .*\d \/(bin|own|shared\/.)\n/g)).toHaveLength(id === "a" ? 3 : 4);
    }
    const [a, b] = await Promise.all(["a", "b"].map(firstIds));
    expect(a).toBeGreaterThan(1_900_000_000 + 65_536);
    expect(Math.abs(Number(a) - Number(b))).toBeGreaterThanOrEqual(65_536);
    // Of what the machine counts for the user of a process of A.
    const folder = path.join(dataDir, "runtime/workloads/a");
    const [pid] = (await readFile(path.join(folder, "process"), "utf8")).split(" ");
    expect(await readFile(`/proc/${pid}/status`, "utf8")).toContain(`Uid:\t${a}\t`);
    // Programs that are started later have the same users, and what they make belongs to them.
    const late = await runtime.exec("a", ["sh", "-c", "echo late > /shared/late && ls -ln /shared/late && id -u"]);
    expect(await late.exited).toMatchObject({ exitCode: 0 });
    await Promise.all(["a", "b"].map((id) => runtime.remove(id)));
    await runtime.ensure(script("again", "cat /shared/text; ls -ln /shared/late", { volumes }));
    await exited("again");
    expect(await output("again")).toMatch(/^more\nmore\n\S+ 1 0 0 5 /);
    await runtime.remove("again");
  });

  it("are not given twice while a workload or another installation has them", () => {
    const claims = `
      require "./system-calls.pl"; require "./user-namespaces.pl";
      my ($first, $claim) = UserNamespaces::claim_ids(sub { $_[0] != 1_900_262_144 + 7 * 65_536 });
      print "$first\\n";
      eval { UserNamespaces::claim_ids(sub { $_[0] != $first }) };
      print $@;
      close $claim;
      print +(UserNamespaces::claim_ids(sub { $_[0] != $first }))[0], "\\n";`;
    const printed = execFileSync("perl", ["-e", claims], { cwd: import.meta.dirname, encoding: "utf8" });
    expect(printed).toBe("1900720896\nall ids for workloads of this machine are in use\n1900720896\n");
  });
});
