export const START = `curl -s "$SVC_URL/v1/shield/scans" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -d '{"bucket":"acme-uploads","prefix":"exports/"}'`;

export const FOLLOW = `curl -s "$SVC_URL/v1/shield/scans/$SCAN_ID?wait_seconds=20" -H "Authorization: Bearer $SVC_KEY"
curl -s "$SVC_URL/v1/shield/findings?bucket=acme-uploads&severity=critical" -H "Authorization: Bearer $SVC_KEY"`;

export const COMMANDS = `svc shield scan --bucket acme-uploads --prefix exports/
svc shield scans
svc shield findings --bucket acme-uploads --severity critical
svc shield cancel "$SCAN_ID"`;
