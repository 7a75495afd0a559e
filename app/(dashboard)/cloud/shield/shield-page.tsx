"use client";

import { ScanSearch } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { PageHeader } from "../../components/page-header";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { FindingList } from "./finding-list";
import { ScanDialog } from "./scan-dialog";
import { ScanList } from "./scan-list";

export const ShieldPage = () => (
  <RequireScope scope="shield:read" title="Shield" what="the scans">
    <Shield />
  </RequireScope>
);

function Shield() {
  const [choosing, setChoosing] = useState(false);
  const scan = useHasScope("shield:write") && (
    <Button onClick={() => setChoosing(true)} icon={ScanSearch}>
      Scan a bucket
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Shield"
        description="Scans buckets for secrets, personal data, the malware test file and risky settings."
        actions={scan}
      />
      <div className="space-y-8">
        <ScanList start={scan} />
        <FindingList />
      </div>
      <ScanDialog open={choosing} onOpenChange={setChoosing} />
    </>
  );
}
