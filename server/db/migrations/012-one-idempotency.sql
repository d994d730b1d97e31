-- What was asked under a key is now told by a hash of the call and its input, so that the keys of the last 24 hours still
-- match their retries.
update idempotency_keys set content = rtrim(translate(encode(sha256(convert_to(case
    when content ~ '^buyitem \d+$' then '["/buyitem",[["productnum",' || substr(content, 9) || ']]]'
    when content = 'buycartitem all' then '["/buycartitem",[]]'
    when content ~ '^buycartitem [\d,]+$' then '["/buycartitem",[["items",[' || substr(content, 13) || ']]]]'
    when content ~ '^\["processCoupon",' then '["/processCoupon",[["CouponCode",' || (content::jsonb -> 1)::text
      || '],["ReferralCode",' || (content::jsonb -> 2)::text || ']]]'
    else content
  end, 'UTF8')), 'base64'), '+/', '-_'), '=');

-- Tickets and replies use idempotency_keys like every other call, so their own columns go. A key of the last minutes before
-- the upgrade is forgotten with them.
alter table tickets drop column submission, drop column submission_content;
alter table ticket_messages drop column submission, drop column submission_content;
