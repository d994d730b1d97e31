-- The outcome of a call that must not run twice, remembered under the caller's Idempotency-Key for 24 hours. It is
-- written in the call's transaction, so using the same key again breaks the primary key and undoes the second call.
-- `owner` is an account's number as text, or `guest:…` for a guest. `content` tells what was asked, since a key may
-- not be used for something else. `refused` is the code of a refusal, `answer` the body of a success.
--
-- There is no foreign key to accounts, because guests have none and the check would cost every purchase time. It would
-- delete nothing either: accounts are never deleted, since the ledger and the purchases refer to them.
create table idempotency_keys (
  owner text not null,
  key text not null check (length(key) between 1 and 200),
  content text not null,
  refused text,
  answer jsonb,
  created_at timestamptz not null,
  primary key (owner, key),
  check ((refused is null) <> (answer is null))
);

create index idempotency_keys_age_idx on idempotency_keys (created_at);

-- Keeps what the calls of the last 24 hours answered, so that a retry after the upgrade still moves nothing.
insert into idempotency_keys (owner, key, content, refused, answer, created_at)
select k.user_num::text, k.key, k.content, r.code, case when k.status = 200 then k.body end, k.created_at
from kept_answers k
left join (values
  ('There is no such item in the shop.', 'noItem'),
  ('No checked items in your cart.', 'nothingChecked'),
  ('Only checked lines of your own cart can be bought.', 'notChecked'),
  ('An item in your cart is no longer sold. Please remove it.', 'itemGone'),
  ('Not enough R-Coin.', 'shortRCoin'),
  ('Not enough Milleage.', 'shortMilleage'),
  ('Not enough R-Coin and Milleage.', 'shortBoth'),
  ('This voucher code is not valid.', 'unknown'),
  ('This voucher code was already used.', 'used'),
  ('This voucher code has expired.', 'expired'),
  ('You already used a code of this kind.', 'oncePerAccount'),
  ('This referral code is not known.', 'unknownReferral')
) r (message, code) on k.status <> 200 and r.message = k.body->>'message'
where k.created_at > now() - interval '24 hours' and (k.status = 200 or r.code is not null);

drop table kept_answers;
