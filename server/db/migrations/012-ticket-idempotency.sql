-- Tickets and replies use idempotency_keys like every other call, so their own columns go. A key of the last minutes before
-- the upgrade is forgotten with them.
alter table tickets drop column submission, drop column submission_content;
alter table ticket_messages drop column submission, drop column submission_content;
