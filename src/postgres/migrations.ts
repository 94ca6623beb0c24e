/**
 * The steps that lead to the present schema, in order. The number of a step is the version that it leads to. A step that has been released
 * is never changed: others have it already.
 */
export const migrations: readonly string[] = [
  `
create table pipe.counter (last_id bigint not null);
insert into pipe.counter values (0);

create table pipe.events (
  id bigint primary key,
  stream_id text collate "C" not null,
  seq bigint not null,
  created_at text not null,
  type text not null,
  payload json not null,
  append_id uuid unique,
  unique (stream_id, seq)
);

create table pipe.projections (
  name text primary key,
  cursor_event_id bigint not null,
  state json not null
);

create table pipe.writers (
  session_id text collate "C" primary key,
  token uuid,
  attempt integer not null,
  pid integer,
  host text
);

create table pipe.sessions (
  id text collate "C" primary key,
  written bigint generated always as identity,
  created_at text not null,
  cwd text,
  header json not null,
  state json not null,
  beginning json not null
);
create index on pipe.sessions (written);

create table pipe.messages (
  session_id text collate "C" not null references pipe.sessions on delete cascade,
  position integer not null,
  body json not null,
  primary key (session_id, position)
);

create table pipe.blobs (
  session_id text collate "C" not null,
  sha256 text not null,
  bytes bytea not null,
  primary key (session_id, sha256)
);

create table pipe.audit_lines (
  session_id text collate "C" not null,
  seq integer not null,
  line text not null,
  primary key (session_id, seq)
);

create table pipe.bundles (
  task_id text collate "C" not null,
  part integer not null,
  bytes bytea not null,
  primary key (task_id, part)
);

create function pipe.append_events(
  this_append uuid, stream text, expected bigint, created text, types text[], payloads text[],
  fenced_session text, fenced_attempt integer,
  out first_id bigint, out first_seq bigint
) language plpgsql as $$
declare
  added bigint := cardinality(types);
begin
  perform pg_advisory_xact_lock(hashtextextended('pipe append', 0));
  select id, seq into first_id, first_seq from pipe.events where append_id = this_append;
  if first_id is not null then return; end if;
  select coalesce(max(seq), 0) + 1 into first_seq from pipe.events where stream_id = stream;
  if expected <> first_seq - 1 then return; end if;
  update pipe.counter set last_id = last_id + added returning last_id - added + 1 into first_id;
  insert into pipe.events (id, stream_id, seq, created_at, type, payload, append_id)
  select first_id + i - 1, stream, first_seq + i - 1, created, t, p::json, case when i = 1 then this_append end
  from unnest(types, payloads) with ordinality as new(t, p, i);
  if fenced_session is not null then
    insert into pipe.writers as w (session_id, attempt) values (fenced_session, fenced_attempt)
    on conflict (session_id) do update set attempt = excluded.attempt, token = null
    where w.attempt < excluded.attempt;
  end if;
  perform pg_notify('pipe_events', (first_id + added - 1)::text);
end $$;
`,
]
