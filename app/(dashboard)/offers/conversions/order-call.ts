/** Reporting an order from a shell, as a shop's server would. */
export const orderCall = ({ publicUrl, advertiserId }: { publicUrl: string; advertiserId: string }): string =>
  `curl ${publicUrl}/api/v1/conversions \\
  -H "Authorization: Bearer $SVC_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "order_id": "ORDER-1001",
    "advertiser_id": "${advertiserId}",
    "click_id": "<svc_click_id>",
    "value_micros": 49900000
  }'`;
